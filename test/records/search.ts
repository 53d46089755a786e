import fc from "fast-check";
import type { LogRow } from "../../core/index.ts";

/** What a trace was given. */
export interface Opinion {
  readonly trace: string;
  readonly value: number;
  readonly weight: number;
}

/** One filter of a search: as it is asked, and whether a row passes it. */
export interface Filter {
  readonly query: Readonly<Record<string, string>>;
  readonly passes: (row: LogRow) => boolean;
}

const lists = {
  virtual_keys: ["virtual_key"],
  configs: ["config", "config_id"],
  prompt_slug: ["prompt_slug", "prompt_id"],
  trace_id: ["trace_id"],
  span_id: ["span_id"],
  api_key_ids: ["api_key_id"],
  cache_status: ["cache_status"],
  status_code: ["response_status_code"],
} as const satisfies Record<string, readonly (keyof LogRow)[]>;

const bounds = {
  total_units: "total_units",
  prompt_token: "req_units",
  completion_token: "res_units",
  cost: "cost",
} as const satisfies Record<string, keyof LogRow>;

/** Unknown is in no list and within no bounds. */
const isWithin = (value: number | null, min: number | undefined, max: number | undefined): boolean =>
  value !== null && (min === undefined || value >= min) && (max === undefined || value <= max);

const bounded = (name: string, min: number | undefined, max: number | undefined) => ({
  ...(min !== undefined && { [`${name}_min`]: `${min}` }),
  ...(max !== undefined && { [`${name}_max`]: `${max}` }),
});

const meanOf = (opinions: readonly Opinion[], trace: string): number | null => {
  const said = opinions.filter((one) => one.trace === trace).map(({ value, weight }) => value * weight);
  return said.length === 0 ? null : said.reduce((sum, one) => sum + one, 0) / said.length;
};

/** The same moment, as it is written so many hours to the east. */
const eastOf = (instant: string, hours: number): string =>
  new Date(Date.parse(instant) + hours * 3_600_000).toISOString().replace("Z", `+${`${hours}`.padStart(2, "0")}:00`);

const texts = (values: readonly (string | number | null)[]): string[] =>
  [...new Set(values.flatMap((value) => (value === null ? [] : [`${value}`])))].filter((text) => !text.includes(","));

/** Filters of every kind, about what there is, and some about what there is not. */
export function filtersOf(rows: readonly LogRow[], opinions: readonly Opinion[]): fc.Arbitrary<Filter> {
  const row = fc.constantFrom(...rows);
  const list = fc.constantFrom(...(Object.keys(lists) as (keyof typeof lists)[])).chain((name) => {
    const columns: readonly (keyof LogRow)[] = lists[name];
    const there = texts(rows.flatMap((one) => columns.map((column) => one[column] as string | number | null)));
    const value = fc.constantFrom(...there, name === "status_code" ? "599" : "nothing");
    return fc.array(value, { minLength: 1, maxLength: 4 }).map(
      (values): Filter => ({
        query: { [name]: values.join(", ") },
        passes: (one) => columns.some((column) => one[column] !== null && values.includes(`${one[column]}`)),
      }),
    );
  });
  const number = fc.constantFrom(...(Object.keys(bounds) as (keyof typeof bounds)[])).chain((name) => {
    const column = bounds[name];
    const amount = row.map((one) => one[column] ?? 0);
    const value = fc.option(amount, { nil: undefined, freq: 3 });
    return fc.tuple(value, value).map(
      ([min, max]): Filter => ({
        query: bounded(name, min, max),
        passes: (one) => (min === undefined && max === undefined) || isWithin(one[column], min, max),
      }),
    );
  });
  const time = fc.tuple(row, row, fc.nat({ max: 14 })).map(
    ([from, to, hours]): Filter => ({
      query: { time_of_generation_min: from.created_at, time_of_generation_max: eastOf(to.created_at, hours) },
      passes: ({ created_at }) => created_at >= from.created_at && created_at < to.created_at,
    }),
  );
  const half = fc.integer({ min: -40, max: 40 }).map((quarters) => quarters / 4);
  const opinion = fc.tuple(fc.option(half, { nil: undefined }), half).map(
    ([min, max]): Filter => ({
      query: bounded("weighted_feedback", min, max),
      passes: ({ trace_id }) => isWithin(meanOf(opinions, trace_id), min, max),
    }),
  );
  const metadata = fc.dictionary(
    fc.constantFrom("plan", "_user", "level"),
    fc.constantFrom("gold", "free", "a|b%", "ana", "7"),
    {
      maxKeys: 2,
    },
  );
  const pairs = metadata.map(
    (wanted): Filter => ({
      query: { metadata: JSON.stringify(wanted) },
      passes: (one) => Object.entries(wanted).every(([key, value]) => metadataOf(one, key) === value),
    }),
  );
  const models = fc.array(row, { minLength: 1, maxLength: 3 }).map((some): Filter => {
    const wanted = texts(some.map(({ ai_org, ai_model }) => (ai_org && ai_model ? `${ai_org}__${ai_model}` : null)));
    return {
      query: wanted.length === 0 ? {} : { ai_org_model: wanted.join(",") },
      passes: ({ ai_org, ai_model }) => wanted.length === 0 || wanted.includes(`${ai_org}__${ai_model}`),
    };
  });
  return fc.oneof(list, list, number, number, time, opinion, pairs, models);
}

function metadataOf(row: LogRow, key: string): string | null | undefined {
  return key === "_user" ? row._user : row["metadata.value"][row["metadata.key"].indexOf(key)];
}
