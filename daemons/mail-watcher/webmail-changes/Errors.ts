/** Errors of changing messages and folders. */
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 404: the folder to move to is not there. */
export class TargetUnknown extends HttpApiError.Problem<TargetUnknown>()(
  "TargetUnknown",
  declaration("target_folder_unknown", 404, "There is no such folder to move to"),
  codeField("target_folder_unknown")
) {}

/** 409: a folder of this name is there. */
export class FolderTaken extends HttpApiError.Problem<FolderTaken>()(
  "FolderTaken",
  declaration("folder_taken", 409, "There is a folder of this name"),
  codeField("folder_taken")
) {}

/** 409: this folder is needed as it is: INBOX always, one with a use (sent, drafts, trash, …) unless `force` says otherwise. */
export class FolderProtected extends HttpApiError.Problem<FolderProtected>()(
  "FolderProtected",
  declaration("folder_protected", 409, "This folder is needed as it is"),
  codeField("folder_protected")
) {}
