/** Parts of the feature people that other features may use. */
export * as RecentRecipients from "./contacts/RecentRecipients.ts"
