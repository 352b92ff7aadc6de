import { Fragment } from "preact"
import { composeHref } from "./Place.ts"
import { written } from "./Recipients.ts"
import type { Address } from "./Shapes.ts"

/** More stand behind a press. Reason: mail to a hundred people is read for what it says. */
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

/** People of a header: the name somebody wrote, and always the address, which cannot be made up as easily. */
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
