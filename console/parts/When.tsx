import { ago, moment } from "../lib/Format.ts"

/**
 * Time since `at`, with the exact time as a tooltip and for machines. `now`: epoch milliseconds, possibly a little old;
 * a later `at` counts as now.
 */
export const When = ({ at, now }: { readonly at: string; readonly now: number }) => (
  <time dateTime={at} title={moment(at)}>
    {ago(at, Math.max(now, Date.parse(at)))}
  </time>
)
