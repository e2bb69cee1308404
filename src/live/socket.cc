#include "live/socket.h"

#include <utility>
#include <variant>

#include "base/task.h"
#include "live/server_message.h"

namespace cairn::live {

void Socket::OnOpen(std::shared_ptr<http::WebSocket> socket) {
  socket_ = std::move(socket);
  auth_deadline_ = context_.clock.Now() + context_.limits.auth_within;
  if (identified_) Welcome();
}

void Socket::OnClose() {
  is_over_ = true;
  LeaveHub();
}

void Socket::Close(uint16_t code, std::string reason) {
  if (std::exchange(is_over_, true)) return;
  LeaveHub();
  socket_->Close(code, std::move(reason));
}

void Socket::LeaveHub() {
  if (subscriber_) context_.hub.Leave(*std::exchange(subscriber_, std::nullopt));
}

void Socket::Refuse(std::string_view code, std::string_view detail, std::string_view room) {
  if (++errors_ > context_.limits.errors_max) {
    return Close(http::close_code::kPolicy, "Too many messages could not be understood.");
  }
  // A name that is too long to be a room's is not worth repeating.
  if (room.size() > context_.limits.room_bytes_max) room = {};
  socket_->Send(ErrorMessage(code, detail, room));
}

// ---- messages ----

void Socket::OnText(std::string_view text) {
  if (is_over_) return;
  if (!is_identifying_) return Handle(text);
  waiting_bytes_ += text.size();
  if (waiting_bytes_ > context_.limits.waiting_bytes_max) {
    return Close(http::close_code::kPolicy, "Wait for the welcome before saying more.");
  }
  waiting_.emplace_back(text);
}

void Socket::HandleWaiting() {
  // A token that is refused at once ends up here again, from inside of Handle.
  if (std::exchange(is_handling_waiting_, true)) return;
  while (!waiting_.empty() && !is_identifying_ && !is_over_) {
    const std::string text = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_bytes_ -= text.size();
    Handle(text);
  }
  is_handling_waiting_ = false;
}

void Socket::Handle(std::string_view text) {
  auto message = ParseClientMessage(text);
  if (!identified_ && !(message && std::holds_alternative<Authenticate>(*message))) {
    return Close(kCloseUnauthenticated, "Say who you are first: {\"type\":\"auth\",\"token\":\"...\"}.");
  }
  if (!message) return Refuse(message.error().code, message.error().detail);
  std::visit([this](auto& each) { Handle(std::move(each)); }, *message);
}

void Socket::Handle(const Subscribe& message) {
  if (!MayBeIn(message.room)) {
    return Refuse("not-found", "There is no such room, or it is not yours to enter.", message.room);
  }
  if (!rooms_.contains(message.room) && rooms_.size() >= context_.limits.rooms_max) {
    return Refuse("too-many-rooms",
                  "A connection can be in " + std::to_string(context_.limits.rooms_max) +
                      " rooms; leave one of them first.",
                  message.room);
  }
  rooms_.insert(message.room);
  context_.hub.Subscribe(*subscriber_, message.room, message.cursor);
}

void Socket::Handle(const Unsubscribe& message) {
  // The same answer for every room: it must not tell which ones there are.
  if (message.room.size() > context_.limits.room_bytes_max) {
    return Refuse("not-found", "There is no such room, or it is not yours to enter.");
  }
  rooms_.erase(message.room);
  context_.hub.Unsubscribe(*subscriber_, message.room);
  socket_->Send(UnsubscribedMessage(message.room));
}

void Socket::Handle(const Ping&) { socket_->Send(PongMessage()); }

bool Socket::MayBeIn(std::string_view room) const {
  if (room.size() > context_.limits.room_bytes_max) return false;
  const auto rule = context_.rules.find(room.substr(0, room.find(':')));
  return rule != context_.rules.end() && rule->second(*identified_, room);
}

// ---- who it is ----

void Socket::Handle(Authenticate message) {
  is_identifying_ = true;
  Spawn(context_.authenticator.IdentifyToken(std::move(message.token)),
        [self = shared_from_this(), loop = socket_->HoldLoop()](Result<rest::Identified> identified) {
          self->OnIdentified(std::move(identified));
        });
}

void Socket::OnIdentified(Result<rest::Identified> identified) {
  is_identifying_ = false;
  if (is_over_) return;
  if (identified && identified->expires <= context_.clock.Now()) {
    identified = Fail(Code::kUnauthenticated, "The token has expired.");
  }
  if (!identified && !identified_) {
    const bool is_wrong = identified.error().code == Code::kUnauthenticated;
    return is_wrong
               ? Close(kCloseUnauthenticated, "The token is not valid, or has expired.")
               : Close(http::close_code::kTryAgainLater, "The token cannot be looked at; connect again.");
  }
  if (!identified) {
    Refuse("unauthenticated", identified.error().message);
  } else if (identified_ && identified->user_id != identified_->user_id) {
    Refuse("other-user", "This connection belongs to another user; open one of your own.");
  } else {
    identified_ = std::make_shared<const rest::Identified>(*std::move(identified));
    Welcome();
  }
  HandleWaiting();
}

void Socket::Welcome() {
  if (!subscriber_) subscriber_ = context_.hub.Join(identified_->user_id, socket_);
  next_check_ = context_.clock.Now() + context_.limits.check_every;
  socket_->Send(WelcomeMessage(identified_->user_id, identified_->expires));
  LeaveForbiddenRooms();
}

// Another token of the same user may have fewer rights.
void Socket::LeaveForbiddenRooms() {
  for (auto room = rooms_.begin(); room != rooms_.end();) {
    if (MayBeIn(*room)) {
      ++room;
      continue;
    }
    context_.hub.Unsubscribe(*subscriber_, *room);
    socket_->Send(UnsubscribedMessage(*room));
    room = rooms_.erase(room);
  }
}

void Socket::OnTick() {
  if (is_over_) return;
  const Time now = context_.clock.Now();
  if (!identified_) {
    if (!is_identifying_ && now >= auth_deadline_) {
      Close(kCloseUnauthenticated, "Nobody has said in time who this is.");
    }
    return;
  }
  if (now >= identified_->expires) {
    Close(kCloseUnauthenticated, "The token has expired; connect again with a new one.");
  } else if (now >= next_check_ && !is_checking_) {
    CheckValidity();
  }
}

void Socket::CheckValidity() {
  is_checking_ = true;
  Spawn(context_.authenticator.IsStillValid(*identified_),
        [self = shared_from_this(), loop = socket_->HoldLoop(), checked = identified_](bool is_valid) {
          self->is_checking_ = false;
          self->next_check_ = self->context_.clock.Now() + self->context_.limits.check_every;
          // What was asked about may have been replaced by a newer token meanwhile.
          if (!is_valid && checked == self->identified_) {
            self->Close(kCloseUnauthenticated, "The session has ended.");
          }
        });
}

}  // namespace cairn::live
