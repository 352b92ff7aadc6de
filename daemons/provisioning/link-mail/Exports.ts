/** Exports of the feature link-mail for other features of provisioning. */
export { organization, organizationOf } from "./Settings.ts"
