/** Exports of the feature notifications for other features. */
export { type NotifyConfig, notifySettings, senderOf } from "./mail/MailRoute.ts"
export * as Members from "./Members.ts"
