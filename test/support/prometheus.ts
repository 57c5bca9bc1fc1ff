/** The operators' alert rules and Grafana dashboard, and the programs that read them. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseYaml } from "@redocly/openapi-core";
import { installedProgram } from "./installed.ts";

/** Absolute paths of the alert rules on indexers and replicas, and on keepers. */
export const RULES_FILES = {
  indexer: resolve("ops/prometheus/coreswap.rules.yml"),
  keeper: resolve("ops/prometheus/keeper.rules.yml"),
} as const;

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export function readAlertRules(of: keyof typeof RULES_FILES): AlertRule[] {
  const { groups } = parseYaml(readFileSync(RULES_FILES[of], "utf8")) as { groups: { rules: AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** The expressions of the dashboard's panels. */
export function readDashboardExpressions(): string[] {
  const { panels } = JSON.parse(readFileSync("ops/grafana/indexer.json", "utf8")) as {
    panels: { targets: { expr: string }[] }[];
  };
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}

/**
 * Returns the path of a program of Prometheus.
 * @throws Error that says what to install
 */
export function prometheusProgram(name: "prometheus" | "promtool"): string {
  return installedProgram(name, "prometheus");
}

const KEYWORDS = new Set(["and", "or", "unless", "bool", "offset"]);

/** The series that a PromQL expression selects, each as a metric with its matchers, such as `up{job="coreswap"}`. */
export function selectorsOf(expression: string): string[] {
  const withoutClauses = expression
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, " ")
    .replaceAll(/\[[^\]]*\]/g, " ");
  // A name before a parenthesis is a function.
  const found = withoutClauses.matchAll(/(?<![\w.:"])([a-zA-Z_:][\w:]*)(?![\w:])(?!\s*\()(\{[^}]*\})?/g);
  return [...found].filter(([, name = ""]) => !KEYWORDS.has(name)).map(([selector]) => selector);
}
