/** What other features of status-checker may use of subscriptions. */
export { noticeHash } from "./NoticeHash.ts"
export { newUnsubscribe } from "./Subscribers.ts"
