import { expect, it } from "vitest";
import { definePlugin, Routing, type RoutingService, z } from "../../../core/index.ts";
import { startRouting } from "../testing.ts";

/** A field whose plugin knows what `gren` is meant for, and a config that was kept before anybody did. */
const tea = (offer: { service?: RoutingService }) =>
  definePlugin({
    name: "tea",
    summary: "A field.",
    options: z.strictObject({}),
    needs: [Routing],
    setup({ service }) {
      offer.service = service(Routing);
      offer.service.field({
        name: "tea",
        schema: z.record(z.string(), z.string()),
        inherit: "nearest",
        opaque: true,
        misspelt: (value) =>
          "gren" in (value as object) ? [{ path: ["gren"], message: 'is unknown; did you mean "green"?' }] : [],
      });
      offer.service.saved((_, slug) =>
        slug === "kept" ? { id: "1", slug, version: "1", config: written } : undefined,
      );
    },
  });

const written = { targets: [{ provider: "@a", tea: { gren: "1" } }], strategy: { mode: "fallback" } };
const principal = { id: "p", organisation: "o", workspace: "w" };

it("what is meant otherwise is refused where a config is declared or made, and runs where it is kept already", async () => {
  const offer: { service?: RoutingService } = {};
  const { ask } = await startRouting({ more: [tea(offer)] });
  expect((await ask({ config: "kept", principal })).targets).toHaveLength(1);
  expect((await ask({ config: written })).targets).toHaveLength(1);
  expect(await offer.service?.check(written)).toMatchObject({
    problems: [{ path: "targets.0.tea.gren", message: 'is unknown; did you mean "green"?' }],
  });
  // Whoever sends back what was kept has not made the mistake; whoever makes another one has.
  expect(await offer.service?.check(written, written)).toMatchObject({ problems: [] });
  const other = { ...written, tea: { gren: "1" } };
  expect(await offer.service?.check(other, written)).toMatchObject({ problems: [{}, {}] });
  await expect(startRouting({ more: [tea({})], options: { configs: { mine: written } } })).rejects.toMatchObject({
    mistakes: [{ path: ["configs", "mine", "targets", 0, "tea", "gren"], isKey: true }],
  });
});
