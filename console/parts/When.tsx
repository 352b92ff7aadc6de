import { ago, moment } from "../lib/Format.ts"

/**
 * How long ago; the exact time on pointing at it, and for machines. `now`: epoch milliseconds, perhaps of a moment ago:
 * what is newer is of now.
 */
export const When = ({ at, now }: { readonly at: string; readonly now: number }) => (
  <time dateTime={at} title={moment(at)}>
    {ago(at, Math.max(now, Date.parse(at)))}
  </time>
)
