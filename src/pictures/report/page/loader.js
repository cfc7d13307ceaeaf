// The script of the page is compressed like the data. The policy allows it by its hash.
const show = (text) => { document.getElementById('loading').textContent = text; };
try {
  const bytes = Uint8Array.from(atob(document.getElementById('code').textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const script = document.createElement('script');
  script.type = 'module';
  script.textContent = await new Response(stream).text();
  document.head.append(script);
} catch (error) {
  show(`This browser cannot show the report: ${error.message}`);
}
