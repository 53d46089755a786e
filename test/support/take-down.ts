import { onTestFinished } from "vitest";
import { watched } from "./watched-records.ts";

/** The watched store is down, until it is told otherwise or the test ends: files that share a process share it, too. */
export function takeDown(): void {
  watched.down = true;
  onTestFinished(() => {
    watched.down = false;
  });
}
