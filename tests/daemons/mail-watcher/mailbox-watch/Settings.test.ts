import { Result } from "effect"
import { expect, it } from "vitest"
import { decode } from "#core/config/Settings.ts"
import { watchSettings } from "#daemons/mail-watcher/mailbox-watch/Settings.ts"

it("folders are scanned every 60 seconds by default", () => {
  expect(decode(watchSettings.pollSeconds, {})).toEqual(Result.succeed(60))
})
