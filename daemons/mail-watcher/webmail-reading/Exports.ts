/** Parts of the feature webmail-reading that other features may use. */
export { BodyUid, FolderName, NewFolderName, PathUid } from "./FieldSchemas.ts"
