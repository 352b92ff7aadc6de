import { words } from "../../lib/Language.ts"
import { meant } from "./MeantAccount.ts"
import type { Account } from "./Shapes.ts"

const t = words({ en: { account: "Account", suspended: "suspended" }, de: { account: "Konto", suspended: "gesperrt" } })

interface Props {
  readonly accounts: ReadonlyArray<Account>
  /** Id of the chosen account; undefined for the default one. */
  readonly account: string | undefined
  readonly choose: (account: string) => void
}

/** The address of the only account, or a selection among several. */
export const AccountChoice = ({ account, accounts, choose }: Props) =>
  accounts.length < 2 ? (
    <p class="mail-account">{accounts[0]?.address}</p>
  ) : (
    <label>
      <span class="sr">{t().account}</span>
      <select value={account ?? String(meant(accounts)?.id)} onChange={(event) => choose(event.currentTarget.value)}>
        {accounts.map((one) => (
          <option key={one.id} value={String(one.id)}>
            {one.address}
            {one.state === "suspended" ? ` (${t().suspended})` : ""}
          </option>
        ))}
      </select>
    </label>
  )
