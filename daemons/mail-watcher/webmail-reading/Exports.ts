/** What the other features may use of webmail-reading. */
export { BodyUid, FolderName, NewFolderName, PathUid } from "./FieldSchemas.ts"
