import type { Group } from "#core/settings/StoredSetting.ts"

/** Groups of settings that can be tested. */
export const tested = ["messenger", "switch", "speech", "relay", "resolvers"] as const satisfies ReadonlyArray<Group>
export type Tested = (typeof tested)[number]

export const isTested = (text: string): text is Tested => (tested as ReadonlyArray<string>).includes(text)
