import { Fragment } from "preact"
import { composeHref } from "./Place.ts"
import { written } from "./Recipients.ts"
import type { Address } from "./Shapes.ts"

/**
 * Number of addresses shown at first; a button shows the rest. Reason: a list of a hundred recipients would hide the
 * message.
 */
const shown = 8

const List = ({ account, of }: { readonly of: ReadonlyArray<Address>; readonly account: string | undefined }) => (
  <>
    {of.map((one, at) => (
      <Fragment key={at}>
        {at === 0 ? "" : ", "}
        {one.name === "" ? null : <span class="person">{one.name} </span>}
        <a href={composeHref(account, { to: written(one) })}>{one.address}</a>
      </Fragment>
    ))}
  </>
)

/** Addresses of a header. The address is always shown, because the display name is easy to forge. */
export const Addresses = ({
  account,
  of
}: {
  readonly of: ReadonlyArray<Address>
  readonly account: string | undefined
}) => (
  <>
    <List of={of.slice(0, shown)} account={account} />
    {of.length <= shown ? null : (
      <details>
        <summary>+{of.length - shown}</summary>
        <List of={of.slice(shown)} account={account} />
      </details>
    )}
  </>
)
