/** What other features of status-checker may use of the files. */
export { fingerprint, read } from "./BoundedFile.ts"
export { type Declared, declaredBy } from "./DeclaredIds.ts"
export { place } from "./FileDecoder.ts"
export { parse } from "./JsonText.ts"
export { listIn } from "./ListInFile.ts"
export { fileProblems, ids, judged, withStatus } from "./OperatorStorage.ts"
export { statusFiles, StatusFiles } from "./StatusFiles.ts"
