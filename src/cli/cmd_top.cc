#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <utility>

#include "api/kinds.h"
#include "cli/live_view.h"
#include "cli/object_commands.h"
#include "cli/printer.h"
#include "engine/engine.h"
#include "engine/stop.h"
#include "krm/diff.h"
#include "packages/lineage.h"
#include "terminal/screen.h"

namespace portico::cli {

using json::Value;

namespace {

constexpr std::size_t kHead = 2, kFoot = 2;  // lines of the screen

class Top {
 public:
  Top(Context& context, terminal::Screen& screen) : context_(context), screen_(screen) {}

  Result<Exit> run() {
    // Gives a stopped command time to restore the terminal.
    const engine::ShutdownGuard unfinished;
    const Stop stop = context_.stop();
    PORTICO_DO(look_anew());
    while (!done_ && !stop()) {
      PORTICO_DO(take_events());
      draw();
      for (const terminal::Press& press : screen_.wait(stop)) take(press);
    }
    return 0;
  }

 private:
  using Clock = std::chrono::steady_clock;

  // Reopens the engine; without a server, it shows the state at this time.
  Result<Done> look_anew() {
    watches_.clear();
    PORTICO_TRY(engine_, engine::Engine::read(context_));
    return follow();
  }

  // Performs the action of a key, and holds the write lock only for that time.
  template <class Action>
  void act(Action action) {
    draw();
    const auto writer = engine::Engine::open(context_);
    message_ = writer ? action(**writer) : writer.error().text();
    if (const auto anew = look_anew(); !anew) message_ = anew.error().text();
  }

  // Lists all objects and watches from that version on.
  Result<Done> follow() {
    watches_.clear();
    view_ = LiveView();
    for (const krm::GroupKind& kind :
         {api::variant_set_kind(), api::variant_kind(), api::revision_kind()}) {
      registry::Query query{.type = kind};
      query.ns = context_.globals.ns;
      PORTICO_TRY(const registry::Listing all, engine_->registry().list(query));
      for (const Value& object : all.objects) view_.put(object);
      watches_.push_back(engine_->registry().watch(query, all.version, [this] { screen_.wake(); }));
    }
    return Done{};
  }

  Result<Done> take_events() {
    for (const auto& watch : watches_) {
      for (;;) {
        const auto events = watch->next(std::chrono::milliseconds(0));
        // The watch has expired: list again.
        if (!events && events.error().reason == Reason::kExpired) return follow();
        if (!events) return events.error();
        if (events->empty()) break;
        for (const registry::Event& event : *events) {
          if (event.change == registry::Change::kDeleted)
            view_.remove(event.object);
          else
            view_.put(event.object);
          changes_.push_back(Clock::now());
        }
      }
    }
    constexpr std::chrono::seconds kSpan(10);
    while (!changes_.empty() && Clock::now() - changes_.front() > kSpan) changes_.pop_front();
    return Done{};
  }

  void draw() {
    std::vector<terminal::Screen::Row> rows;
    const std::size_t room =
        std::max(terminal::Screen::size().rows, kHead + kFoot + 1) - kHead - kFoot;
    if (!text_.empty()) {
      from_ = std::min(from_, text_.size() > room ? text_.size() - room : 0);
      rows.push_back({title_, Colour::kBold});
      rows.push_back({});
      for (std::size_t i = from_; i < std::min(from_ + room, text_.size()); ++i)
        rows.push_back({text_[i], colour_of_line(text_[i])});
      rows.resize(kHead + room + 1);
      rows.push_back({"up, down: scroll   q: back", Colour::kDim});
      return screen_.draw(rows);
    }
    lines_ = view_.lines(filter_);
    chosen_ = std::min(chosen_, lines_.empty() ? 0 : lines_.size() - 1);
    if (chosen_ < first_) first_ = chosen_;
    if (chosen_ >= first_ + room) first_ = chosen_ - room + 1;
    rows.push_back({summary(), Colour::kBold});
    rows.push_back({});
    for (std::size_t i = first_; i < std::min(first_ + room, lines_.size()); ++i)
      rows.push_back({LiveView::text_of(lines_[i]), LiveView::colour_of(lines_[i]), i == chosen_});
    rows.resize(kHead + room);
    rows.push_back({message_, Colour::kCyan});
    rows.push_back(
        {"d: diff   p: propose   a: approve   r: reject   c: run controllers   f: all, "
         "failing, open   q: quit",
         Colour::kDim});
    screen_.draw(rows);
  }

  std::string summary() const {
    const LiveView::Counts counts = view_.counts();
    static constexpr const char* kFilters[] = {"all", "failing", "drafts and proposals"};
    return fmt::format(
        "{}: {}, {} of {} variants settled, {} waiting, {} failing; {} drafts, {} proposed; "
        "{} changes in 10 s; showing {}",
        context_.globals.ns, counted(counts.sets, "set"), counts.settled, counts.variants,
        counts.waiting, counts.failing, counts.drafts, counts.proposed, changes_.size(),
        kFilters[static_cast<std::size_t>(filter_)]);
  }

  static Colour colour_of_line(std::string_view line) {
    if (line.starts_with("@@")) return Colour::kCyan;
    if (line.starts_with("+")) return Colour::kGreen;
    return line.starts_with("-") ? Colour::kRed : Colour::kPlain;
  }

  void take(const terminal::Press& press) {
    const std::size_t page =
        std::max(terminal::Screen::size().rows, kHead + kFoot + 1) - kHead - kFoot;
    std::size_t& at = text_.empty() ? chosen_ : from_;
    const bool back =
        press.key == terminal::Key::kEscape || press.character == 'q' || press.character == '\x03';
    if (back && !text_.empty())
      text_.clear();
    else if (back)
      done_ = true;
    else if (press.key == terminal::Key::kUp || press.character == 'k')
      at -= std::min<std::size_t>(at, 1);
    else if (press.key == terminal::Key::kDown || press.character == 'j')
      ++at;
    else if (press.key == terminal::Key::kPageUp)
      at -= std::min(at, page);
    else if (press.key == terminal::Key::kPageDown || press.character == ' ')
      at += page;
    else if (press.key == terminal::Key::kHome)
      at = 0;
    else if (press.key == terminal::Key::kEnd)
      at = static_cast<std::size_t>(-1) / 2;
    else if (text_.empty())
      command(press);
  }

  void command(const terminal::Press& press) {
    message_.clear();
    if (press.character == 'f') {
      filter_ = static_cast<LiveView::Filter>((static_cast<int>(filter_) + 1) % 3);
      return;
    }
    if (press.character == 'c') return run_controllers();
    const Value revision = chosen_ < lines_.size() ? lines_[chosen_].revision : Value();
    const std::string name(krm::name_of(revision));
    const bool known = press.key == terminal::Key::kEnter ||
                       (press.character != '\0' &&
                        std::string_view("dpar").find(press.character) != std::string_view::npos);
    if (!known) return;
    if (revision.is_null()) {
      message_ = "choose a variant that has a package revision";
      return;
    }
    if (press.key == terminal::Key::kEnter || press.character == 'd') return show_diff(revision);
    message_ = name + " ...";
    act([&](engine::Engine& writer) {
      const krm::ObjectKey key = krm::object_key(revision);
      auto& packages = writer.packages();
      const packages::Actor actor = engine::current_actor();
      const auto moved = press.character == 'p'   ? packages.propose(key, actor)
                         : press.character == 'a' ? packages.approve(key, actor)
                                                  : packages.reject(key, actor);
      const char* done = press.character == 'p'   ? "proposed"
                         : press.character == 'a' ? "approved"
                                                  : "no longer proposed for approval";
      return moved ? fmt::format("{} {}", name, done) : moved.error().text();
    });
  }

  void run_controllers() {
    message_ = "running the controllers ...";
    context_.terminal.hide_progress();
    act([&](engine::Engine& writer) -> std::string {
      const auto settled = writer.settle(context_.terminal);
      if (!settled) return settled.error().text();
      if (settled->errors.empty()) return "nothing is left to do";
      const controllers::PlannedError& first = settled->errors.front();
      return fmt::format("nothing is left to do, and {} fail{}: {}: {}",
                         counted(settled->errors.size(), "object"),
                         settled->errors.size() == 1 ? "s" : "", first.key.name, first.message);
    });
  }

  void show_diff(const Value& revision) {
    const auto before = packages::predecessor(engine_->registry(), revision);
    const auto after = engine_->packages().read(revision);
    Result<std::shared_ptr<const krm::Package>> old = std::make_shared<const krm::Package>();
    if (before && !before->is_null()) old = engine_->packages().read(*before);
    for (const Error* error : {before ? nullptr : &before.error(), after ? nullptr : &after.error(),
                               old ? nullptr : &old.error()})
      if (error != nullptr) {
        message_ = error->text();
        return;
      }
    std::string diff = krm::diff_packages(**old, **after);
    if (diff.empty()) {
      message_ = "no difference";
      return;
    }
    title_ =
        fmt::format("{} -> {}", before->is_null() ? "nothing" : std::string(krm::name_of(*before)),
                    krm::name_of(revision));
    for (std::size_t at = 0; at < diff.size();) {
      const std::size_t end = std::min(diff.find('\n', at), diff.size());
      text_.push_back(diff.substr(at, end - at));
      at = end + 1;
    }
    from_ = 0;
  }

  Context& context_;
  terminal::Screen& screen_;
  std::unique_ptr<engine::Engine> engine_;  // for reading
  LiveView view_;
  std::vector<std::unique_ptr<registry::Watch>> watches_;
  std::deque<Clock::time_point> changes_;
  std::vector<LiveView::Line> lines_;
  LiveView::Filter filter_ = LiveView::Filter::kAll;
  std::size_t chosen_ = 0, first_ = 0;  // indexes in lines_
  std::vector<std::string> text_;       // a diff that is shown instead; empty: none
  std::string title_;
  std::size_t from_ = 0;
  std::string message_;
  bool done_ = false;
};

}  // namespace

Result<Exit> run_top(const TopOptions&, Context& context) {
  PORTICO_TRY(const auto screen, terminal::Screen::open());
  return Top(context, *screen).run();
}

}  // namespace portico::cli
