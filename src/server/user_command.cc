// cairn user, cairn demo: accounts and demo data, beside a running server or without one.
#include <termios.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>

#include "server/command.h"
#include "server/operator_request.h"

namespace cairn::server {
namespace {

struct UserSettings {
  std::string email;
  std::string data = "./data";
  bool generate = false;
};

// From the terminal without showing it, or all of standard input, which is one line: a password is not cut.
Result<std::string> ReadPassword() {
  const bool terminal = ::isatty(STDIN_FILENO) != 0;
  termios before{};
  if (terminal) {
    std::fprintf(stderr, "Password: ");
    ::tcgetattr(STDIN_FILENO, &before);
    termios silent = before;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(STDIN_FILENO, TCSANOW, &silent);
  }
  std::string password, more;
  std::getline(std::cin, password);
  if (!terminal && (std::getline(std::cin, more) || !more.empty()))
    return Fail(Invalid("the password on standard input has more than one line"));
  if (terminal) {
    ::tcsetattr(STDIN_FILENO, TCSANOW, &before);
    std::fprintf(stderr, "\n");
  }
  return password;
}

int Finish(const Result<std::string>& answer) {
  if (!answer) return Complain(answer.error().message);
  std::fputs(answer->c_str(), stdout);
  return kExitOk;
}

CLI::App* AddSubcommand(CLI::App& parent, const std::string& name, const std::string& doc,
                        UserSettings& settings) {
  auto* command = parent.add_subcommand(name, doc);
  if (name != "list")
    command->add_option("email", settings.email, "The account's e-mail address")->required();
  command->add_option("--data", settings.data, "Data directory of the server")->capture_default_str();
  return command;
}

}  // namespace

Command AddUser(CLI::App& program) {
  auto* command = program.add_subcommand("user", "Accounts: add, list, reset-password, disable, enable");
  command->require_subcommand(1);
  auto settings = std::make_shared<UserSettings>();
  auto* add =
      AddSubcommand(*command, "add", "Make an account; the password is read from standard input", *settings);
  auto* list = AddSubcommand(*command, "list", "Print all accounts", *settings);
  auto* reset = AddSubcommand(*command, "reset-password",
                              "Set a new password, read from standard input; all sessions end", *settings);
  reset->add_flag("--generate", settings->generate, "Make a random password and print it");
  auto* disable =
      AddSubcommand(*command, "disable", "Nobody gets in until it is enabled; all sessions end", *settings);
  auto* enable = AddSubcommand(*command, "enable", "Let a disabled account in again", *settings);
  return [=] {
    std::vector<std::string> words = {"user"};
    const bool needs_password = add->parsed() || (reset->parsed() && !settings->generate);
    const Result<std::string> password = needs_password ? ReadPassword() : Result<std::string>("");
    if (!password) return Complain(password.error().message, kExitUsage);
    if (add->parsed()) words.insert(words.end(), {"add", settings->email, *password});
    if (list->parsed()) words.push_back("list");
    if (reset->parsed()) {
      words.insert(words.end(), {"reset-password", settings->email, *password});
      if (!settings->generate && words.back().empty())
        return Complain("no password was given; --generate makes one", kExitUsage);
    }
    if (disable->parsed()) words.insert(words.end(), {"disable", settings->email});
    if (enable->parsed()) words.insert(words.end(), {"enable", settings->email});
    return Finish(AskOrRun(settings->data, words));
  };
}

Command AddDemo(CLI::App& program) {
  auto settings = std::make_shared<UserSettings>();
  AddSubcommand(program, "demo", "Fill a new account with several weeks of demo data", *settings);
  return [settings] { return Finish(AskOrRun(settings->data, {"demo", settings->email})); };
}

}  // namespace cairn::server
