/** What other features of status-checker may use of the files. */
export { fingerprint, read } from "./BoundedFile.ts"
export { type DeclaredIds, declaredIds } from "./DeclaredIds.ts"
export { pathIn } from "./FileDecoder.ts"
export { parse } from "./JsonText.ts"
export { listIn } from "./ListInFile.ts"
export { fileProblems, decodeInput, idList, withStatus } from "./OperatorStorage.ts"
export { statusFiles, StatusFiles } from "./StatusFiles.ts"
