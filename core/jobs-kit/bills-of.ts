import type { PluginContext } from "../plugin.ts";
import { ApiKeys } from "../services/api-keys.ts";
import { Prices } from "../services/prices.ts";
import { Records } from "../services/records.ts";
import { JobBills } from "./job-bills.ts";
import { KnownJobs } from "./known-jobs.ts";

/** The bills of jobs for a plugin that uses `ApiKeys`, `Prices` and `Records`, as far as they are offered. */
export const billsOf = ({ formats, offered, log, own }: PluginContext): JobBills =>
  new JobBills({
    jobs: new KnownJobs(offered(Records), log, Date.now, formats),
    formats,
    log,
    prices: offered(Prices),
    account: own.account,
    today: offered(ApiKeys)?.today,
  });
