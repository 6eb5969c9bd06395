#include "kinds/internal/facet_text.h"
#include "kinds/internal/facets.h"

namespace portico::kinds::internal {
namespace {

using json::Value;

constexpr std::string_view kRevision = R"({
"description": "One revision of a package: a draft, a proposal, or what was published as a number.",
"properties": {
  "spec": {
    "description": "Which package it is of, where it lies, and how far it is.",
    "properties": {
      "packageName": {"description": "Path of the package below the repository's directory."},
      "repository": {"description": "Name of the Repository that it lies in."},
      "workspaceName": {"description": "Name of the draft that it comes from."},
      "revision": {"description": "Number; 0: not published, -1: head of a branch."},
      "parent": {"$like": "revisionRef", "description": "The package revision of the package above it."},
      "lifecycle": {
        "description": "Draft, Proposed, Published or DeletionProposed. Published is set through the subresource approval.",
        "enum": ["Draft", "Proposed", "Published", "DeletionProposed"]},
      "packageMetadata": {
        "description": "Labels and annotations of the Kptfile; of a draft they can be changed.",
        "properties": {
          "labels": {"description": "Its labels."},
          "annotations": {"description": "Its annotations."}}},
      "readinessGates": {
        "description": "Conditions that must be True before it is published.",
        "items": {
          "properties": {
            "conditionType": {"description": "Type of a condition in status.conditions."}}}},
      "tasks": {
        "description": "How it came to be: one task when it is created.",
        "items": {
          "properties": {
            "type": {"description": "init, clone, edit or upgrade: which of the others holds."},
            "init": {
              "description": "A new package.",
              "properties": {
                "description": {"description": "What it is for."},
                "keywords": {"description": "Words to find it by."},
                "site": {"description": "Web page."},
                "subpackage": {"description": "Folder below the package; empty: the package."}}},
            "clone": {
              "description": "The content of another package, which becomes its upstream.",
              "properties": {
                "strategy": {"description": "How it is merged with its upstream later."},
                "upstreamRef": {
                  "description": "What is cloned.",
                  "properties": {
                    "type": {"description": "git; empty with upstreamRef."},
                    "git": {
                      "description": "A package in a git repository.",
                      "properties": {
                        "repo": {"description": "URL of the repository."},
                        "ref": {"description": "Branch, tag or commit."},
                        "directory": {"description": "Folder of the package."},
                        "secretRef": {"description": "The Secret that authenticates; who writes this needs the right to get it.",
                                      "properties": {"name": {"description": "Its name."}}}}},
                    "oci": {"description": "Not supported.",
                            "properties": {"image": {"description": "Name of an image."}}},
                    "upstreamRef": {"$like": "revisionRef",
                                    "description": "A package revision of this namespace."}}}}},
            "edit": {
              "description": "The content of an earlier revision of the same package.",
              "properties": {"sourceRef": {"$like": "revisionRef", "description": "The package revision."}}},
            "upgrade": {
              "description": "A merge of an earlier revision with a newer upstream.",
              "properties": {
                "localPackageRevisionRef": {"$like": "revisionRef", "description": "What is upgraded."},
                "oldUpstreamRef": {"$like": "revisionRef", "description": "The upstream that it is based on."},
                "newUpstreamRef": {"$like": "revisionRef", "description": "The upstream that it goes to."},
                "strategy": {"description": "How the three are merged."}}}}}}}},
  "status": {
    "description": "What git says of it.",
    "properties": {
      "upstreamLock": {"$like": "lock", "description": "Where its content came from, to the commit."},
      "selfLock": {"$like": "lock", "description": "Where it lies itself, to the commit."},
      "publishedBy": {"description": "Who published it."},
      "publishTimestamp": {"description": "When it was published.", "format": "date-time"},
      "deployment": {"description": "Whether its repository's packages are deployed."},
      "conditions": {"$like": "conditions", "description": "Those of its Kptfile."},
      "pristine": {
        "description": "The newest build by its variant below it, without people's edits.",
        "properties": {
          "commit": {"description": "The commit."},
          "tree": {"description": "The content: the id of its tree in git."},
          "inputs": {"description": "Digest of what it was made from."}}},
      "base": {
        "description": "Of a draft or proposal: what the branch had when it was started.",
        "properties": {
          "commit": {"description": "The commit."},
          "tree": {"description": "The content: the id of its tree in git; empty: the package was not there."}}},
      "drift": {
        "description": "Of a branch head: commits that no revision was published for.",
        "properties": {
          "since": {"description": "The published revision that they follow; empty: there is none."},
          "commits": {"description": "The commits, newest first, with author and subject."},
          "files": {"description": "The files that differ."}}},
      "proposal": {
        "description": "Who proposed it, and when.",
        "properties": {
          "by": {"description": "Who proposed it."},
          "at": {"description": "When."},
          "decision": {"description": "Of a controller: what it decided, and why."}}},
      "rejection": {
        "description": "Who rejected it as a proposal, and when.",
        "properties": {
          "by": {"description": "Who rejected it."},
          "at": {"description": "When."},
          "tree": {"description": "The content that was rejected: the id of its tree in git."}}},
      "pin": {
        "description": "It was rolled back to: its variant waits for the next upstream.",
        "properties": {
          "upstream": {"description": "Digest of the upstream at that time."},
          "inputs": {"description": "Digest of the inputs that the variant had then."},
          "to": {"description": "The version whose content is back: v3, say."}}}}}}})";

constexpr std::string_view kResources = R"({
"description": "The files of a package revision.",
"properties": {
  "spec": {
    "description": "Which revision it is, and its files.",
    "properties": {
      "packageName": {"description": "Path of the package below the repository's directory."},
      "repository": {"description": "Name of the Repository that it lies in."},
      "workspaceName": {"description": "Name of the draft that it comes from."},
      "revision": {"description": "Number; 0: not published, -1: head of a branch."},
      "resources": {
        "description": "Text of each file by its path. Files that are no UTF-8 text are left out."}}},
  "status": {
    "description": "What came of the last write.",
    "properties": {
      "renderStatus": {
        "description": "What the functions of the pipeline said.",
        "properties": {
          "result": {"description": "kpt's FunctionResultList."},
          "error": {"description": "Why it could not be rendered; empty: it could."}}}}}}})";

constexpr std::string_view kPackage = R"({
"description": "A package: what package revisions are of. It is made of those when it is asked for.",
"properties": {
  "spec": {
    "description": "Which package it is.",
    "properties": {
      "packageName": {"description": "Path of the package below the repository's directory."},
      "repository": {"description": "Name of the Repository that it lies in."}}},
  "status": {
    "description": "What there is of it.",
    "properties": {"latestRevision": {"description": "Number of its latest published revision."}}}}})";

}  // namespace

const Value& revision_facets() {
  static const Value kFacets = facets_from(kRevision);
  return kFacets;
}
const Value& resources_facets() {
  static const Value kFacets = facets_from(kResources);
  return kFacets;
}
const Value& package_facets() {
  static const Value kFacets = facets_from(kPackage);
  return kFacets;
}

}  // namespace portico::kinds::internal
