/** Exports of the feature webmail-changes for other features. */
export { erase, inFolder, present } from "./Messages.ts"
export { forUse, madeForUse } from "./folders/Folders.ts"
