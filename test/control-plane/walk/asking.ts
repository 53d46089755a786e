import { expect } from "vitest";
import type { Answered } from "../../support/management.ts";
import { isGone, type Thing } from "./model.ts";
import { at, type World } from "./world.ts";

/** What a request with a key comes to, and with a config that it names or that is its default. */
export async function ask(world: World, key: Thing, chance: number): Promise<void> {
  const configs = world.of("configs");
  const near = configs.filter((one) => one.place === key.place);
  const named = chance % 2 ? at(chance % 8 === 1 ? configs : near, chance >> 3) : undefined;
  const ref = named && (chance % 4 > 1 ? named.id : (named.slug ?? ""));
  if (isElsewhere(named ?? key.links.get("configs"))) return;
  for (const value of key.values) {
    const { status, body } = await chat(world, value, ref);
    const about = `${key.kind.name} ${key.id} with ${ref}: ${status} ${JSON.stringify(body)}`;
    expect(status, about).toBe(answerTo(key, named ?? key.links.get("configs")));
  }
}

/** What has to be asked for elsewhere first is not asked for here. */
const isElsewhere = (config: Thing | undefined): boolean =>
  config?.links.get("providers")?.links.get("integrations")?.links.has("secrets") === true;

function answerTo(key: Thing, config: Thing | undefined): number {
  if (key.gone) return 401;
  if (key.place?.gone) return 403;
  if (!(key.shows.scopes as string[]).includes("completions.write")) return 403;
  if (!config) return 200;
  if (isGone(config) || config.place !== key.place) return 400;
  const provider = config.links.get("providers");
  if (!provider) return 200;
  if (isGone(provider)) return 400;
  const integration = provider.links.get("integrations");
  if (!integration || isGone(integration)) return 400;
  if (integration.place === undefined && key.place && !integration.open.has(key.place)) return 403;
  return 200;
}

async function chat(world: World, value: string, config: string | undefined): Promise<Answered> {
  const response = await fetch(`${world.url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-gateway-api-key": value,
      ...(config !== undefined && { "x-gateway-config": config }),
    },
    body: JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "Hi" }] }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
