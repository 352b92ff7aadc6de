/** Layers of the account services. Features that provide the same constant share one instance per daemon. */
import { Layer } from "effect"
import { bankClient } from "./BankClient.ts"
import * as Connections from "./Connections.ts"
import { passphrases } from "./keys/Passphrases.ts"

/** Bank client and passphrases. */
export const bankAccess = Layer.merge(bankClient, passphrases)

/** Service `BankConnections`. */
export const bankConnections = Connections.layer.pipe(Layer.provide(bankAccess))
