/** Parts of the feature webmail-changes that other features may use. */
export { erase, inFolder, present } from "./Messages.ts"
export { forUse, madeForUse } from "./folders/Folders.ts"
