// A clang-tidy plugin that limits its checks to the declarations of this project. A file here
// includes twenty times as many declarations from system headers.
//
// clang-tidy does not report findings in system headers, but it still traverses them for each
// check: without this plugin a file takes five times as long. clangd limits its checks the same
// way.
#include <memory>
#include <string>
#include <vector>

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

namespace {

class Scope : public clang::ASTConsumer {
 public:
  void HandleTranslationUnit(clang::ASTContext& context) override {
    const clang::SourceManager& sources = context.getSourceManager();
    std::vector<clang::Decl*> ours;
    for (clang::Decl* each : context.getTranslationUnitDecl()->decls()) {
      const clang::SourceLocation place = sources.getExpansionLoc(each->getLocation());
      if (place.isValid() && !sources.isInSystemHeader(place)) ours.push_back(each);
    }
    context.setTraversalScope(ours);
  }
};

class ScopeAction : public clang::PluginASTAction {
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& /*compiler*/,
                                                        llvm::StringRef /*file*/) override {
    return std::make_unique<Scope>();
  }
  bool ParseArgs(const clang::CompilerInstance& /*compiler*/,
                 const std::vector<std::string>& /*arguments*/) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<ScopeAction> added(  // NOLINT: read by clang's registry
    "portico-scope", "limits what checks see to what is not a header of the system");

}  // namespace
