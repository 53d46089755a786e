import { expect, it } from "vitest";
import type { Attempt, BoundProvider, Exchange, Target, UpstreamCall } from "../../core/index.ts";
import { Account } from "./account.ts";
import type { Accounts } from "./accounts.ts";
import { Charged, chargedAtAdmission, chargedAtTarget } from "./charged.ts";
import { amountOf, charging, countOpened } from "./charges.ts";
import { budget } from "./testing.ts";

const target: Target = { path: "config", provider: { name: "acme" } as BoundProvider };
const sent: Partial<Attempt> = { sentAt: 1, call: {} as UpstreamCall };

/** What a budget of requests is raised by: that of the whole request, and that of the target it called first. */
async function requestsOf(calls: readonly Partial<Attempt>[]): Promise<Record<string, bigint>> {
  const attempts = calls.map(
    (call, at): Attempt => ({
      target: at === 0 ? target : { ...target, retry: true },
      startedAt: 0,
      ...call,
    }),
  );
  const raised: Record<string, bigint> = {};
  const add = ({ budget: { id } }: Account, amount: bigint) => {
    raised[id] = amount;
  };
  const charged = (id: string) =>
    new Charged({ group: "o", accounts: [new Account("o", budget({ id, type: "requests" }))], requests: 1n });
  const exchange = { attempts } as unknown as Exchange;
  chargedAtAdmission.set(exchange, charged("whole"));
  for (const first of attempts.slice(0, 1)) chargedAtTarget.set(first, charged("target"));
  await charging({ add } as unknown as Accounts)(exchange);
  return raised;
}

it("a target counts as called where only its retry was sent", async () => {
  expect(await requestsOf([{}, sent])).toMatchObject({ target: 1n });
  expect(await requestsOf([{}, {}])).toMatchObject({ target: 0n });
});

it.each<[string, bigint, Partial<Attempt>]>([
  ["answered", 1n, { ...sent, headersAt: 2 }],
  ["answered by calls of the provider's own", 1n, { sentAt: 1, headersAt: 2 }],
  ["dropped, or given up while nobody answered,", 0n, sent],
])("a request that was %s counts %i times, and its target as called", async (_, whole, call) => {
  expect(await requestsOf([call])).toEqual({ whole, target: 1n });
});

it.each([
  ["is known of an unknown sum", { atLeast: "0.5" }],
  ["would be asked for at higher prices", { atMost: "0.5" }],
])("money that %s counts", (_, known) => {
  const cost = { ...known, currency: "USD", source: "none" } as const;
  const account = new Account("o", budget({ type: "cost" }));
  expect(amountOf(account, [{ target, startedAt: 0, cost }], 0n)).toBe(500_000_000_000n);
});

it.each([
  ["soft", "hard"],
  ["hard", "soft"],
] as const)(
  "a session is one request of a budget that was %s when it was opened and is %s when it ends",
  async (before, after) => {
    let counted = 0n;
    const accounts = {
      add: (_: Account, amount: bigint) => {
        counted += amount;
      },
      settle: (_: string, spendings: readonly { amount: bigint }[]) => {
        for (const { amount } of spendings) counted += amount;
      },
    } as unknown as Accounts;
    const account = new Account("o", budget({ type: "requests", enforcement: before }));
    const charged = new Charged({ group: "o", accounts: [account], requests: 1n });
    if (before === "hard") charged.held(account, "x", undefined);
    const attempts = [{ target, startedAt: 0, ...sent, headersAt: 2 }];
    const session = { attempts } as unknown as Exchange;
    chargedAtAdmission.set(session, charged);
    countOpened(accounts, session);
    account.budget = budget({ type: "requests", enforcement: after });
    await charging(accounts)(session);
    expect(counted).toBe(1n);
  },
);
