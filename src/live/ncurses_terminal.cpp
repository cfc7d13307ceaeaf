#include "live/ncurses_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "live/terminal_guard.h"
#include "live/terminal_styles.h"
#include "support/fd.h"

// The macros of ncurses have names such as `move` and `lines`.
#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
#include <curses.h>
extern "C" char* tigetstr(const char*);  // of term.h, whose macros are worse

namespace dscope {

namespace {

constexpr std::array<int, 4> handled_signals{SIGWINCH, SIGINT, SIGTERM, SIGHUP};

// The write end of the pipe that carries numbers of signals to next_key().
volatile sig_atomic_t signal_pipe = -1;

void on_signal(int signal) {
  int saved = errno;
  auto byte = static_cast<char>(signal);
  // A full pipe already wakes the reader.
  if (::write(signal_pipe, &byte, 1) < 0) errno = saved;
  errno = saved;
}

std::string terminal_string(const char* name) {
  const char* text = ::tigetstr(name);
  if (text == nullptr || text == reinterpret_cast<const char*>(-1)) return {};
  // Delays, "$<5>", are for terminals of wire.
  std::string sequence;
  for (const char* at = text; *at != 0; ++at) {
    const char* end = at[0] == '$' && at[1] == '<' ? std::strchr(at, '>') : nullptr;
    if (end != nullptr) at = end;
    else sequence += *at;
  }
  return sequence;
}

std::string restoring_sequences(bool has_mouse) {
  std::string text;
  for (const char* name : {"sgr0", "op", "rmkx"}) text += terminal_string(name);
  if (has_mouse) text += "\033[?1000l\033[?1006l";
  text += terminal_string("cnorm");
  std::string leave = terminal_string("rmcup");
  // Without an alternate screen, the shell goes on below the picture.
  return text + (leave.empty() ? "\r\n" : leave);
}

KeyPress key_of_code(wint_t code) {
  switch (code) {
    case KEY_UP: return {.kind = KeyPress::Kind::Up};
    case KEY_DOWN: return {.kind = KeyPress::Kind::Down};
    case KEY_LEFT: return {.kind = KeyPress::Kind::Left};
    case KEY_RIGHT: return {.kind = KeyPress::Kind::Right};
    case KEY_PPAGE: return {.kind = KeyPress::Kind::PageUp};
    case KEY_NPAGE: return {.kind = KeyPress::Kind::PageDown};
    case KEY_HOME: return {.kind = KeyPress::Kind::Home};
    case KEY_END: return {.kind = KeyPress::Kind::End};
    case KEY_ENTER: return {.kind = KeyPress::Kind::Enter};
    case KEY_BACKSPACE: return {.kind = KeyPress::Kind::Backspace};
    case KEY_BTAB: return {.kind = KeyPress::Kind::BackTab};
    default: return {.kind = KeyPress::Kind::Resize};  // nothing but a new drawing
  }
}

KeyPress key_of_character(wint_t code) {
  switch (code) {
    case '\n':
    case '\r': return {.kind = KeyPress::Kind::Enter};
    case '\t': return {.kind = KeyPress::Kind::Tab};
    case 0x1b: return {.kind = KeyPress::Kind::Escape};
    case 0x08:
    case 0x7f: return {.kind = KeyPress::Kind::Backspace};
    default: return character_key(static_cast<char32_t>(code));
  }
}

KeyPress key_of_mouse() {
  MEVENT event;
  if (::getmouse(&event) != OK) return {.kind = KeyPress::Kind::Resize};
  KeyPress key{.kind = KeyPress::Kind::Resize, .character = 0, .row = event.y, .column = event.x};
  if ((event.bstate & BUTTON1_PRESSED) != 0) key.kind = KeyPress::Kind::Click;
  if ((event.bstate & BUTTON4_PRESSED) != 0) key.kind = KeyPress::Kind::WheelUp;
  if ((event.bstate & BUTTON5_PRESSED) != 0) key.kind = KeyPress::Kind::WheelDown;
  return key;
}

// Sequences of terminals whose TERM is wrong: Home and End of xterm and tmux differ, and vt100 has no page keys.
void define_common_keys() {
  constexpr std::pair<const char*, int> keys[] = {
      {"\033[1~", KEY_HOME}, {"\033[H", KEY_HOME}, {"\033OH", KEY_HOME},   {"\033[4~", KEY_END},
      {"\033[F", KEY_END},   {"\033OF", KEY_END},  {"\033[5~", KEY_PPAGE}, {"\033[6~", KEY_NPAGE},
      {"\033[A", KEY_UP},    {"\033[B", KEY_DOWN}, {"\033[C", KEY_RIGHT},  {"\033[D", KEY_LEFT},
      {"\033OA", KEY_UP},    {"\033OB", KEY_DOWN}, {"\033OC", KEY_RIGHT},  {"\033OD", KEY_LEFT},
      {"\033[Z", KEY_BTAB},
  };
  for (const auto& [sequence, code] : keys)
    if (::key_defined(sequence) <= 0) ::define_key(sequence, code);
}

}  // namespace

struct NcursesTerminal::State {
  SCREEN* screen = nullptr;
  DrawingMode mode;
  Fd signals;      // numbers of signals, a byte each
  Fd signals_end;  // its other end
  Fd events;       // epoll of `signals` and standard input
  std::array<struct sigaction, handled_signals.size()> old_actions{};
  int end_signal = 0;
  Canvas drawn{{}, {}};
  std::optional<TerminalGuard> guard;

  Result<void> open_events();
  Result<void> start_guard(const termios& before);
  void choose_mode(const TerminalSettings& settings);
  void read_signals(bool& is_resized);
  void draw_row(const Canvas& canvas, int row) const;
  ~State();
};

Result<void> NcursesTerminal::State::open_events() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return fail(Error::from_errno(errno, "cannot create a pipe"));
  signals = Fd{ends[0]};
  signals_end = Fd{ends[1]};
  events = Fd{::epoll_create1(EPOLL_CLOEXEC)};
  for (int fd : {STDIN_FILENO, signals.get()}) {
    epoll_event event{.events = EPOLLIN, .data = {.fd = fd}};
    if (::epoll_ctl(events.get(), EPOLL_CTL_ADD, fd, &event) != 0)
      return fail(Error::from_errno(errno, "cannot wait for keys"));
  }
  // ncurses installs handlers of its own only where there is none.
  signal_pipe = signals_end.get();
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < handled_signals.size(); ++i) ::sigaction(handled_signals[i], &action, &old_actions[i]);
  return {};
}

void NcursesTerminal::State::choose_mode(const TerminalSettings& settings) {
  const char* no_color = std::getenv("NO_COLOR");
  bool is_colorless = (no_color != nullptr && *no_color != 0) || !::has_colors();
  mode.is_unicode = !settings.is_ascii && std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0;
  mode.has_colors = !is_colorless && ::start_color() == OK;
  mode.has_palette = mode.has_colors && COLORS >= 256;
  if (!mode.has_colors) return;
  ::use_default_colors();
  for (int style = 0; style < screen_style_count; ++style) {
    StyleAttributes attributes = style_attributes(static_cast<ScreenStyle>(style), mode);
    ::init_pair(static_cast<short>(style + 1), attributes.foreground, attributes.background);
  }
}

// The child starts when ncurses has set its modes and before any update arrives.
Result<void> NcursesTerminal::State::start_guard(const termios& before) {
  TerminalGuard::Restoration restoration{.terminal = STDOUT_FILENO, .before = before, .during = {}, .sequences = {}};
  ::tcgetattr(STDIN_FILENO, &restoration.during);
  restoration.sequences = restoring_sequences(::has_mouse());
  DS_TRY(TerminalGuard started, TerminalGuard::start(restoration));
  guard.emplace(std::move(started));
  return {};
}

NcursesTerminal::State::~State() {
  if (screen != nullptr) {
    ::endwin();
    ::delscreen(screen);
  }
  guard.reset();
  if (!signals_end) return;
  for (size_t i = 0; i < handled_signals.size(); ++i) ::sigaction(handled_signals[i], &old_actions[i], nullptr);
  signal_pipe = -1;
}

void NcursesTerminal::State::read_signals(bool& is_resized) {
  char signal;
  while (::read(signals.get(), &signal, 1) == 1) {
    int number = static_cast<unsigned char>(signal);
    if (number == SIGWINCH) is_resized = true;
    else end_signal = number;
  }
  // A terminal that has hung up is readable for ever.
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  if (::poll(&input, 1, 0) > 0 && (input.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) end_signal = SIGHUP;
}

void NcursesTerminal::State::draw_row(const Canvas& canvas, int row) const {
  ::wmove(stdscr, row, 0);
  for (int column = 0; column < canvas.size().columns; ++column) {
    const ScreenCell& cell = canvas.at(row, column);
    if (cell.width == 0) continue;
    std::array<wchar_t, 5> characters{};
    for (size_t i = 0; i < cell.characters.size(); ++i) characters[i] = static_cast<wchar_t>(cell.characters[i]);
    attr_t attributes = A_NORMAL;
    StyleAttributes style = style_attributes(cell.style, mode);
    if (style.is_bold) attributes |= A_BOLD;
    if (style.is_dim) attributes |= A_DIM;
    if (style.is_reverse) attributes |= A_REVERSE;
    if (style.is_underlined) attributes |= A_UNDERLINE;
    auto pair = static_cast<short>(mode.has_colors ? static_cast<int>(cell.style) + 1 : 0);
    cchar_t character;
    ::setcchar(&character, characters.data(), attributes, pair, nullptr);
    ::mvwadd_wch(stdscr, row, column, &character);
  }
}

NcursesTerminal::NcursesTerminal(std::unique_ptr<State> state) : state_(std::move(state)) {}
NcursesTerminal::~NcursesTerminal() = default;

Result<std::unique_ptr<NcursesTerminal>> NcursesTerminal::open(const TerminalSettings& settings) {
  if (!::isatty(STDIN_FILENO) || !::isatty(STDOUT_FILENO))
    return fail(Error("the live view needs a terminal as standard input and output"));
  termios before{};
  if (::tcgetattr(STDIN_FILENO, &before) != 0)
    return fail(Error::from_errno(errno, "cannot read the terminal's modes"));
  ::setlocale(LC_CTYPE, "");
  auto state = std::make_unique<State>();
  DS_TRY_VOID(state->open_events());
  state->screen = ::newterm(nullptr, stdout, stdin);
  const char* type = std::getenv("TERM");
  if (state->screen == nullptr)
    return fail(Error::make("the terminal cannot show the live view: TERM={}", type == nullptr ? "" : type)
                    .hint("try TERM=xterm-256color or TERM=vt100"));
  ::cbreak();
  ::noecho();
  ::nonl();
  ::curs_set(0);
  ::keypad(stdscr, TRUE);
  ::nodelay(stdscr, TRUE);
  ::set_escdelay(25);  // ms; a lone Escape must not feel slow
  define_common_keys();
  ::mouseinterval(0);
  ::mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, nullptr);
  state->choose_mode(settings);
  DS_TRY_VOID(state->start_guard(before));
  return std::unique_ptr<NcursesTerminal>(new NcursesTerminal(std::move(state)));
}

ScreenSize NcursesTerminal::size() const { return {.rows = ::getmaxy(stdscr), .columns = ::getmaxx(stdscr)}; }
DrawingMode NcursesTerminal::mode() const { return state_->mode; }
int NcursesTerminal::input_fd() const { return state_->events.get(); }
int NcursesTerminal::end_signal() const { return state_->end_signal; }

void NcursesTerminal::draw(const Canvas& canvas) {
  Canvas& drawn = state_->drawn;
  bool is_resized = drawn.size() != canvas.size();
  if (is_resized) ::werase(stdscr);
  for (int row = 0; row < canvas.size().rows; ++row)
    if (is_resized || !canvas.has_same_row(drawn, row)) state_->draw_row(canvas, row);
  drawn = canvas;
  ::wrefresh(stdscr);
}

void NcursesTerminal::invalidate() { ::clearok(curscr, TRUE); }

std::optional<KeyPress> NcursesTerminal::next_key() {
  bool is_resized = false;
  state_->read_signals(is_resized);
  if (is_resized) {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
      ::resize_term(size.ws_row, size.ws_col);
    // Output for the old size is garbled now, even if the terminal has that size again.
    invalidate();
    return KeyPress{.kind = KeyPress::Kind::Resize};
  }
  wint_t code = 0;
  int result = ::wget_wch(stdscr, &code);
  if (result == ERR) return std::nullopt;
  if (result == KEY_CODE_YES) return code == KEY_MOUSE ? key_of_mouse() : key_of_code(code);
  return key_of_character(code);
}

}  // namespace dscope
