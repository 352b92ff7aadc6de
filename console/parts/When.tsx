import { ago, bothMoments, moment, utcMoment } from "../lib/Format.ts"

/**
 * Time since `at`, with the exact time as a tooltip and for machines. `now`: epoch milliseconds, possibly a little old;
 * a later `at` counts as now.
 */
export const When = ({ at, now }: { readonly at: string; readonly now: number }) => (
  <time dateTime={at} title={bothMoments(at)}>
    {ago(at, Math.max(now, Date.parse(at)))}
  </time>
)

/** Local date and time, with UTC as a tooltip. `at`: ISO 8601, or epoch milliseconds. */
export const At = ({ at }: { readonly at: string | number }) => (
  <time dateTime={new Date(at).toISOString()} title={utcMoment(at)}>
    {moment(at)}
  </time>
)
