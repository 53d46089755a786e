export { billsOf } from "./bills-of.ts";
export { JobBills, type JobBillsInput } from "./job-bills.ts";
export { KnownJobs } from "./known-jobs.ts";
