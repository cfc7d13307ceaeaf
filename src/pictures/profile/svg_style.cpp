#include "pictures/profile/svg_style.h"

namespace dscope {

namespace {

// The hues are those of Okabe and Ito, which people with any color vision distinguish: orange for user code, sky blue
// for the kernel, bluish green for inlined functions, reddish purple for JIT code. Their shades separate neighbors. The
// steps of heat maps differ in lightness.
constexpr std::string_view style = R"css(
text { font: 11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1b1b1f; white-space: pre; }
.page { fill: #fff; }
.title { font: bold 17px system-ui, sans-serif; }
.heading { font: bold 14px system-ui, sans-serif; }
.note { font: 12px system-ui, sans-serif; fill: #55555e; }
.warning { font: bold 12px system-ui, sans-serif; fill: #a63603; }
.strong { font-weight: bold; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.flame text { fill: #1b1b1f; pointer-events: none; }
.flame .f { cursor: pointer; }
.flame .f rect { stroke: #fff; stroke-width: .6; }
.flame .f:hover rect { stroke: #1b1b1f; }
.u0 { fill: #f4bd52; } .u1 { fill: #f0b030; } .u2 { fill: #f8cb76; }
.k0 { fill: #7cc4ee; } .k1 { fill: #63b8ea; } .k2 { fill: #99d1f2; }
.i0 { fill: #5cc8a4; } .i1 { fill: #43bd96; } .i2 { fill: #7cd5b8; }
.j0 { fill: #dd9fc1; } .j1 { fill: #d58db5; } .j2 { fill: #e6b5cf; }
.g0 { fill: #cbcbd2; } .g1 { fill: #bfbfc8; } .g2 { fill: #d7d7dc; }
.positive { fill: #4f9fd8; } .second { fill: #f0b030; } .negative { fill: #d55e00; }
.empty { fill: #f3f3f6; }
.h1 { fill: #dce9f6; } .h2 { fill: #c3daee; } .h3 { fill: #a3c9e5; } .h4 { fill: #7bb2da; }
.h5 { fill: #5497cb; } .h6 { fill: #3179b5; } .h7 { fill: #195b97; } .h8 { fill: #0a3d73; }
.searching .f rect { opacity: .35; }
.searching .f.hit rect { opacity: 1; stroke: #1b1b1f; }
.searching .flame .f.hit rect { fill: #f0e442; }
.away { display: none; }
.outer rect { opacity: .5; }
.tools { display: none; }
.tools.on { display: inline; }
.tools input { box-sizing: border-box; width: 100%; height: 24px; font: 12px system-ui, sans-serif; padding: 2px 6px; }
.button { cursor: pointer; }
.button rect { fill: #e7e7ec; }
.button text { font: 12px system-ui, sans-serif; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6e6ea; }
  .page { fill: #17171b; }
  .note { fill: #a9a9b4; }
  .warning { fill: #fdae6b; }
  .flame .f rect { stroke: #17171b; }
  .flame .f:hover rect { stroke: #fff; }
  .empty { fill: #212127; }
  .h1 { fill: #16304d; } .h2 { fill: #1b446e; } .h3 { fill: #225a8f; } .h4 { fill: #3275ae; }
  .h5 { fill: #5193c6; } .h6 { fill: #7cb2d9; } .h7 { fill: #aed0e8; } .h8 { fill: #e3f0f9; }
  .searching .f.hit rect { stroke: #fff; }
  .searching .flame .f:not(.hit) text, .flame .outer text { fill: #dcdce2; }
  .tools input { background: #26262d; color: #e6e6ea; border: 1px solid #55555e; }
  .button rect { fill: #33333b; }
}
)css";

// A click zooms, Escape and the button reset, Ctrl-F or / searches. Frames are in preorder, and those whose rectangle
// is within that of a frame and above it are its callees.
constexpr std::string_view script = R"js(
(function () {
  "use strict";
  const root = document.documentElement, page = root.querySelector(".content");
  const tools = root.querySelector(".tools"), found = root.querySelector(".found");
  const reset = root.querySelector(".reset");
  const input = root.querySelector("input");
  const left = 16, inner = 1168, character = 6.65;
  const number = (element, name) => Number(element.getAttribute(name));
  const graphs = Array.from(root.querySelectorAll(".flame"), graph => Array.from(graph.children, group => {
    const rect = group.querySelector("rect"), title = group.querySelector("title").textContent;
    return { group, rect, text: group.querySelector("text"), name: title.slice(0, title.lastIndexOf(": ")),
             x: number(rect, "x"), y: number(rect, "y"), width: number(rect, "width") };
  }));
  const bars = Array.from(root.querySelectorAll(".bar"), group =>
    ({ group, name: group.querySelector("text").textContent }));

  const fits = (name, room) => Array.from(name).length <= room;
  function label(name, room) {
    if (room <= 3) return "";
    if (!fits(name, room)) name = name.slice(name.indexOf("`") + 1);
    return fits(name, room) ? name : Array.from(name).slice(0, room - 1).join("") + "…";
  }

  function place(frame, x, width) {
    frame.rect.setAttribute("x", x);
    frame.rect.setAttribute("width", Math.max(width, 0));
    frame.text.setAttribute("x", x + 3);
    frame.text.textContent = label(frame.name, Math.floor((width - 6) / character));
  }

  function zoom(frames, to) {
    for (const frame of frames) {
      const isOuter = frame.y > to.y && frame.x <= to.x + .01 && frame.x + frame.width >= to.x + to.width - .01;
      const isWithin = frame.y <= to.y && frame.x >= to.x - .01 && frame.x + frame.width <= to.x + to.width + .01;
      frame.group.classList.toggle("outer", isOuter);
      frame.group.classList.toggle("away", !isOuter && !isWithin);
      if (isOuter) place(frame, left, inner);
      else if (isWithin) place(frame, left + (frame.x - to.x) * inner / to.width, frame.width * inner / to.width);
    }
    reset.classList.toggle("away", to.width >= inner - .01);
  }

  function resetZoom() {
    for (const frames of graphs) zoom(frames, frames[0]);
  }

  function matcher(query) {
    try { const pattern = new RegExp(query, "i"); return name => pattern.test(name); }
    catch (error) { return name => name.toLowerCase().includes(query.toLowerCase()); }
  }

  // The share of the frames that match, without those within others.
  function search(query) {
    const matches = query === "" ? () => false : matcher(query), shares = [];
    page.classList.toggle("searching", query !== "");
    for (const frames of graphs) {
      let sum = 0, end = -1;
      for (const frame of frames) {
        const isHit = matches(frame.name);
        frame.group.classList.toggle("hit", isHit);
        if (!isHit || frame.x < end - .01) continue;
        sum += frame.width;
        end = frame.x + frame.width;
      }
      shares.push((sum / inner * 100).toFixed(1) + " %");
    }
    for (const bar of bars) bar.group.classList.toggle("hit", matches(bar.name));
    found.textContent = query === "" ? "" : shares.length === 0 ? "" : "matched: " + shares.join(", ");
  }

  for (const frames of graphs)
    for (const frame of frames) frame.group.addEventListener("click", () => zoom(frames, frame));
  reset.addEventListener("click", resetZoom);
  input.addEventListener("input", () => search(input.value));
  window.addEventListener("keydown", event => {
    const isTyping = document.activeElement === input;
    const isFind = event.key === "/" || (event.key === "f" && (event.ctrlKey || event.metaKey));
    if (isFind && !isTyping) { event.preventDefault(); input.focus(); input.select(); }
    if (event.key !== "Escape") return;
    input.value = "";
    input.blur();
    search("");
    resetZoom();
  });
  tools.classList.add("on");
  reset.classList.add("away");
})();
)js";

}  // namespace

std::string_view svg_style() { return style; }
std::string_view svg_script() { return script; }

}  // namespace dscope
