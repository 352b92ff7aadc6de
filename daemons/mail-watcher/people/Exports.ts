/** What the other features may use of people. */
export * as RecentRecipients from "./contacts/RecentRecipients.ts"
