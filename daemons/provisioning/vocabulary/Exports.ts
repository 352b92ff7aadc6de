/** Words that the features of provisioning share. */
export { note } from "./Note.ts"
export { LinkGone, TooManyRetrievals } from "./PublicErrors.ts"
export { Slug, textIn, Translated } from "./Shapes.ts"
export { tenantBase } from "./TenantBase.ts"
