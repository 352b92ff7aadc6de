/**
 * Lists in request bodies. A body of a megabyte can hold half a million wrong items, and validating each of them would
 * block the daemon for seconds. So the length is checked before any item.
 */
import { Schema, SchemaAST, SchemaTransformation } from "effect"

/** A list of `minimum` to `maximum` items. */
export const boundedList = <Item extends Schema.Codec<unknown, unknown>>(
  item: Item,
  bounds: { readonly minimum: number; readonly maximum: number }
) =>
  Schema.Array(Schema.Unknown).pipe(
    Schema.check(
      Schema.makeFilter(
        ({ length }: ReadonlyArray<unknown>) => {
          if (length < bounds.minimum)
            return bounds.minimum === 1 ? "must have at least one item" : `must have at least ${bounds.minimum} items`
          return length > bounds.maximum ? `must have at most ${bounds.maximum} items` : undefined
        },
        {
          // Lets API documents show the items.
          representation: {
            id: "signalbox/core/http/boundedList",
            payload: null,
            schemas: [SchemaAST.toEncoded(item.ast)]
          },
          toJsonSchema: ({ schemas }) => ({ minItems: bounds.minimum, maxItems: bounds.maximum, items: schemas[0]! })
        }
      )
    ),
    Schema.decodeTo(Schema.Array(item), SchemaTransformation.passthrough({ strict: false }) as never)
  ) as unknown as Schema.Codec<ReadonlyArray<Item["Type"]>, ReadonlyArray<Item["Encoded"]>>
