// cairn: the command line.
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "server/command.h"

namespace {

using namespace cairn::server;

// CLI11's messages may span lines; a wrong flag gets one.
std::string OneLine(std::string text) {
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("Cairn: a durable, DynamoDB-compatible store in one binary");
  program.name("cairn");
  program.require_subcommand(1);
  program.set_help_all_flag("--help-all", "Help of all commands");
  std::vector<std::pair<CLI::App*, Command>> commands;
  for (const auto add : {AddServe, AddTables, AddBackup, AddRestore, AddExport, AddImport, AddVerify,
                         AddModel, AddToken, AddUser, AddDemo}) {
    Command run = add(program);
    commands.emplace_back(program.get_subcommands({}).back(), std::move(run));
  }
  commands.emplace_back(program.add_subcommand("version", "Print the version"), [] {
    std::printf("cairn %s\n", CAIRN_VERSION);
    return kExitOk;
  });
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help
    return program.exit(asked);
  } catch (const CLI::ParseError& error) {
    return Complain(OneLine(error.what()) + " (see cairn --help)", kExitUsage);
  }
  for (const auto& [subcommand, run] : commands) {
    if (!subcommand->parsed()) continue;
    // What these write holds people's data, or keys: for the eyes of their owner only. What is made of a
    // model (documents, exports of the design) is for others.
    if (subcommand->get_name() != "model") ::umask(0077);
    return run();
  }
  return kExitUsage;
}
