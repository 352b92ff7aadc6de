import { integer, type SettingProblem, type Values } from "#core/config/Settings.ts"
import { accountSettings } from "../accounts/Exports.ts"

const hour = { unit: "hour of the day, UTC", min: 0, max: 23 }

export const fetchSettings = {
  ...accountSettings,
  intradayStart: integer("EBICS_INTRADAY_START_HOUR", {
    doc: "First hour of the hourly fetch of intraday statements",
    default: 7,
    ...hour
  }),
  intradayEnd: integer("EBICS_INTRADAY_END_HOUR", {
    doc: "Last hour of the hourly fetch of intraday statements",
    default: 20,
    ...hour
  }),
  minute: integer("SIGNALBOX_BANK_MINUTE_MS", {
    doc: "Milliseconds in a minute of the pauses between attempts; only tests change it",
    default: 60_000,
    min: 10,
    max: 60_000
  })
}

export type FetchSettings = Values<typeof fetchSettings>

/** Problem of the hours together. */
export const hourConflict = ({ intradayEnd, intradayStart }: FetchSettings): ReadonlyArray<SettingProblem> =>
  intradayStart <= intradayEnd
    ? []
    : [{ name: "EBICS_INTRADAY_END_HOUR", message: "must not be before EBICS_INTRADAY_START_HOUR" }]
