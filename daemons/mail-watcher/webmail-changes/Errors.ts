/** Errors of changing messages and folders. */
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 404: the target folder does not exist. */
export class TargetUnknown extends HttpApiError.Problem<TargetUnknown>()(
  "TargetUnknown",
  declaration("target_folder_unknown", 404, "The target folder does not exist"),
  codeField("target_folder_unknown")
) {}

/** 409: a folder of this name exists. */
export class FolderTaken extends HttpApiError.Problem<FolderTaken>()(
  "FolderTaken",
  declaration("folder_taken", 409, "A folder with this name exists already"),
  codeField("folder_taken")
) {}

/** 409: the folder is protected: INBOX always, a folder with a special use unless `force` is set. */
export class FolderProtected extends HttpApiError.Problem<FolderProtected>()(
  "FolderProtected",
  declaration("folder_protected", 409, "This folder is protected"),
  codeField("folder_protected")
) {}
