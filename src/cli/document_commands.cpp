#include <memory>

#include "src/cli/commands.hpp"
#include "src/cli/exit_code.hpp"
#include "src/cli/print.hpp"
#include "src/report/document_formats.hpp"
#include "src/report/json_reader.hpp"
#include "src/report/json_report.hpp"
#include "src/report/output_file.hpp"
#include "src/report/text_report.hpp"
#include "src/stats/merge_results.hpp"

namespace pgload::cli {

int report_command(const CommandLine& line) {
  stats::RunResult run = report::read_json_file(line.files.front());
  if (line.percentiles_given) run.percentiles = line.percentiles;
  write_text(stdout, report::write_document(run, line.format));
  return static_cast<int>(ExitCode::good);
}

int merge_command(const CommandLine& line) {
  const bool json_to_stdout = line.json == "-";
  std::unique_ptr<report::OutputFile> file;
  if (line.json && !json_to_stdout) file = std::make_unique<report::OutputFile>(*line.json);
  std::vector<stats::NamedResult> parts;
  for (const std::string& name : line.files) parts.push_back({name, report::read_json_file(name)});
  stats::RunResult run = stats::merge_results(parts);
  if (line.percentiles_given) run.percentiles = line.percentiles;
  write_text(json_to_stdout ? stderr : stdout, report::text_report(run, run.percentiles));
  if (json_to_stdout) {
    write_text(stdout, report::json_report(run));
  } else if (file) {
    file->commit(report::json_report(run));
  }
  return static_cast<int>(run.status == stats::RunStatus::failed ? ExitCode::run_failed : ExitCode::good);
}

}  // namespace pgload::cli
