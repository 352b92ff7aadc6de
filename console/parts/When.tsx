import { ago, moment } from "../lib/Format.ts"

/** How long ago; the exact time on pointing at it, and for machines. `now`: epoch milliseconds. */
export const When = ({ at, now }: { readonly at: string; readonly now: number }) => <time dateTime={at} title={moment(at)}>{ago(at, now)}</time>
