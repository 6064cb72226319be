#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "src/data/inspect.hpp"
#include "src/data/jobs.hpp"
#include "src/data/load_chunks.hpp"
#include "src/data/sql_text.hpp"
#include "src/data/table_plan.hpp"

namespace pgload::data {
namespace {

namespace api = workloads::api;
using Clock = std::chrono::steady_clock;

/// So many steps of a kind are reported one by one; more in one line.
constexpr std::size_t kFewTables = 3;

/// "index", "index of 12 tables"
std::string step_of(std::string_view kind, std::size_t tables) {
  return tables > kFewTables ? fmt::format("{} of {} tables", kind, tables) : std::string(kind);
}

/// Steps that lanes have ended, on their way to the one thread that may report them.
class StepLog {
 public:
  void add(std::string name, Clock::duration elapsed) {
    PrepareProgress step;
    step.step = std::move(name);
    step.elapsed = elapsed;
    step.finished = true;
    const std::lock_guard lock(mutex_);
    steps_.push_back(std::move(step));
  }
  void drain(const std::function<void(const PrepareProgress&)>& progress) {
    std::vector<PrepareProgress> steps;
    {
      const std::lock_guard lock(mutex_);
      steps.swap(steps_);
    }
    for (const auto& step : steps) progress(step);
  }

 private:
  std::mutex mutex_;
  std::vector<PrepareProgress> steps_;
};

class Preparation {
 public:
  Preparation(const Target& target, const PreparePlan& plan, std::vector<api::TableSpec> tables,
              const std::function<void(const PrepareProgress&)>& progress, const std::function<bool()>& stop)
      : target_(target), plan_(plan), tables_(std::move(tables)), progress_(progress), stop_(stop) {}

  PrepareSummary run() {
    const auto begin = Clock::now();
    run_lane(target_, [this](Lane& lane) { return make_tables(lane); });
    report_kept();
    const auto todo = work_list();
    const bool index_first = plan_.index_first.value_or(false);
    if (index_first) run_jobs("index", index_jobs(todo));
    load();
    if (!index_first) run_jobs("index", index_jobs(todo));
    run_jobs("", sequence_jobs(todo));
    run_jobs(plan_.dialect == api::Dialect::risingwave ? "flush" : "analyze",
             closing_jobs(todo, plan_.dialect));
    summary_.total_time = Clock::now() - begin;
    return summary_;
  }

 private:
  asio::awaitable<void> make_tables(Lane& lane) {
    if (stop_()) throw Interrupted();
    states_ = co_await look_up(lane, tables_);
    actions_ = co_await decide(lane, tables_, states_, plan_);
    bool made = false;
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      if (stop_()) throw Interrupted();
      if (actions_[i] != Action::create && actions_[i] != Action::recreate) continue;
      made = true;
      co_await make_table(lane, tables_[i], actions_[i] == Action::recreate);
    }
    // What the tables really are: the load follows their types.
    if (made) states_ = co_await look_up(lane, tables_);
  }

  asio::awaitable<void> make_table(Lane& lane, const api::TableSpec& table, bool drop) {
    if (drop) {
      std::string sql = "DROP TABLE " + quote_name(table.name);
      const auto dropped = co_await lane.define(std::move(sql));
      lane.require(dropped, "drop table " + table.name);
    }
    for (const Job& job : creation_jobs(table)) {
      const auto result = co_await lane.define(job.sql);
      const bool no_right =
          result.server_error && result.server_error->sqlstate == proto_pg::wire::SqlState::parse("42501");
      if (no_right) co_await refuse_for_rights(lane, job, *result.server_error);
      lane.require(result, job.doing);
    }
  }

  asio::awaitable<void> refuse_for_rights(Lane& lane, const Job& job,
                                          const proto_pg::wire::ServerError& error) {
    std::string which = "SELECT current_schema()";
    const auto schema = co_await lane.query(std::move(which), job.doing);
    throw DataError(fmt::format("{}\nas its owner or a superuser: GRANT CREATE ON SCHEMA {} TO {}",
                                refusal(job.doing, error), quote_name(schema.at(0).at(0).value_or("public")),
                                quote_name(target_.context.info.user)));
  }

  void report_kept() {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      if (actions_[i] == Action::keep) {
        ++summary_.tables_kept;
      } else {
        ++summary_.tables_loaded;
      }
    }
    if (summary_.tables_kept > kFewTables) {
      steps_.add(fmt::format("kept {} tables", summary_.tables_kept), {});
    } else {
      for (std::size_t i = 0; i < tables_.size(); ++i)
        if (actions_[i] == Action::keep) steps_.add("kept " + tables_[i].name, {});
    }
    steps_.drain(progress_);
  }

  void load() {
    if (summary_.tables_loaded == 0) return;
    std::vector<LoadTable> todo;
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      if (actions_[i] == Action::keep) continue;
      todo.push_back({&tables_[i], column_types(tables_[i], states_[i]), actions_[i] == Action::resume});
    }
    Load load(std::move(todo), plan_);
    const auto begin = Clock::now();
    const auto report = [&](bool finished) {
      PrepareProgress now;
      now.step = "load";
      now.rows_done = load.rows_done();
      now.rows_total = load.total_rows();
      now.bytes = load.bytes_sent();
      now.elapsed = Clock::now() - begin;
      now.finished = finished;
      progress_(now);
    };
    run_lasting(
        load.total_rows() / plan_.chunk_rows + 1, [&load](Lane& lane) { return load.work(lane); },
        [&] {
          report(false);
          return stop_();
        });
    summary_.load_time = Clock::now() - begin;
    summary_.rows = load.rows_sent();
    summary_.bytes = load.bytes_sent();
    report(true);
  }

  std::vector<JobTable> work_list() const {
    std::vector<JobTable> list;
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      if (actions_[i] != Action::keep) list.push_back({&tables_[i], &states_[i]});
    }
    return list;
  }

  /// Reports one by one what has a name and is little, else the kind, unless that is empty.
  void run_jobs(std::string_view kind, const std::vector<Job>& jobs) {
    if (jobs.empty()) return;
    std::set<std::string_view> tables;
    for (const Job& job : jobs) tables.insert(job.table);
    const bool each = jobs.size() <= kFewTables && !jobs[0].name.empty();
    const auto begin = Clock::now();
    std::atomic<std::size_t> next{0};
    run_lasting(
        jobs.size(), [&](Lane& lane) { return work_off(lane, jobs, next, each); },
        [&] {
          steps_.drain(progress_);
          return stop_();
        });
    if (!each && !kind.empty()) steps_.add(step_of(kind, tables.size()), Clock::now() - begin);
    steps_.drain(progress_);
  }

  asio::awaitable<void> work_off(Lane& lane, const std::vector<Job>& jobs, std::atomic<std::size_t>& next,
                                 bool each) {
    for (std::size_t i = next++; i < jobs.size() && !lane.stopping(); i = next++) {
      const auto begin = Clock::now();
      const auto result = co_await lane.define(jobs[i].sql);
      lane.require(result, jobs[i].doing);
      if (each) steps_.add(jobs[i].name, Clock::now() - begin);
    }
  }

  /// Work in several lanes, of which what was done stays when the rest fails.
  void run_lasting(std::uint64_t pieces, const LaneBody& body, const std::function<bool()>& tick) {
    const auto most = std::max(plan_.connections, 1U);
    const auto count = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(pieces, 1, most));
    try {
      run_lanes(target_, count, body, tick);
    } catch (const Interrupted&) {
      throw;
    } catch (const DataError& error) {
      const std::string text = error.what();
      const bool long_text = text.find('\n') != std::string::npos;
      throw DataError(text + (long_text ? " " : "\n") + "What is loaded stays: go on with --resume.");
    }
  }

  const Target& target_;
  const PreparePlan& plan_;
  std::vector<api::TableSpec> tables_;
  const std::function<void(const PrepareProgress&)>& progress_;
  const std::function<bool()>& stop_;
  std::vector<TableState> states_;
  std::vector<Action> actions_;
  StepLog steps_;
  PrepareSummary summary_;
};

}  // namespace

PrepareSummary prepare(const Target& target, const api::Workload& workload, const PreparePlan& plan,
                       const std::function<void(const PrepareProgress&)>& progress,
                       const std::function<bool()>& stop) {
  auto tables = workload.tables();
  if (tables.empty()) return {};
  Preparation preparation(target, plan, std::move(tables), progress, stop);
  return preparation.run();
}

}  // namespace pgload::data
