export { JobBills, type JobBillsInput } from "./job-bills.ts";
export { KnownJobs } from "./known-jobs.ts";
