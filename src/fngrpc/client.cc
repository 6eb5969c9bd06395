#include <grpcpp/grpcpp.h>

#include "base/world_error.h"
#include "fngrpc/internal/evaluator.grpc.pb.h"
#include "fngrpc/link.h"

namespace portico::fngrpc {
namespace {

Error as_error(const grpc::Status& status, const std::string& address) {
  if (status.error_code() == grpc::StatusCode::NOT_FOUND)
    return not_found("{}", status.error_message());
  const Mend mend = mend_of_grpc(status.error_code(), status.error_message());
  if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED)
    return error_for(mend, fmt::format("function runner {} gave no answer in time", address));
  // What the function itself says stands without the name of its server.
  if (mend != Mend::kRetry) return error_for(mend, status.error_message());
  return error_for(mend, fmt::format("function runner {}: {}", address, status.error_message()));
}

class Client final : public fnrun::Evaluator {
 public:
  Client(const std::string& address, const fnrun::EvaluatorOptions& options)
      : address_(address), timeout_(options.timeout), stopped_(options.stopped) {
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(static_cast<int>(options.message_bytes));
    arguments.SetMaxSendMessageSize(static_cast<int>(options.message_bytes));
    stub_ = evaluator::FunctionEvaluator::NewStub(
        grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments));
  }

  Result<fnrun::EvaluateReply> evaluate(const fnrun::EvaluateRequest& request) const override {
    evaluator::EvaluateFunctionRequest message;
    message.set_image(request.image);
    message.set_resource_list(request.resource_list);
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + timeout_);
    evaluator::EvaluateFunctionResponse reply;
    const grpc::Status status = call(context, message, reply);
    if (status.error_code() == grpc::StatusCode::CANCELLED && stopped_())
      return unavailable("function runner {} was not waited for any longer: stopped", address_);
    if (!status.ok()) return as_error(status, address_);
    return fnrun::EvaluateReply{std::move(*reply.mutable_resource_list()),
                                std::move(*reply.mutable_log())};
  }

 private:
  grpc::Status call(grpc::ClientContext& context, const evaluator::EvaluateFunctionRequest& message,
                    evaluator::EvaluateFunctionResponse& reply) const {
    constexpr std::chrono::milliseconds kBetweenQuestions{100};
    grpc::CompletionQueue queue;
    grpc::Status status;
    const auto running = stub_->AsyncEvaluateFunction(&context, message, &queue);
    running->Finish(&reply, &status, nullptr);
    void* tag = nullptr;
    bool ok = false;
    while (true) {
      const auto next = stopped_ ? std::chrono::system_clock::now() + kBetweenQuestions
                                 : std::chrono::system_clock::time_point::max();
      if (queue.AsyncNext(&tag, &ok, next) != grpc::CompletionQueue::TIMEOUT) return status;
      if (stopped_()) context.TryCancel();
    }
  }

  std::string address_;
  std::chrono::milliseconds timeout_;
  Stop stopped_;
  std::unique_ptr<evaluator::FunctionEvaluator::Stub> stub_;
};

}  // namespace

std::unique_ptr<fnrun::Evaluator> GrpcLink::connect(const std::string& address,
                                                    const fnrun::EvaluatorOptions& options) const {
  return std::make_unique<Client>(address, options);
}

}  // namespace portico::fngrpc
