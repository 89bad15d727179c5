/** Spans and metrics in the JSON form of OTLP 1.x over HTTP, as far as Prowess uses it. Source: opentelemetry-proto, trace and metrics v1. */
import type { SpanContext } from './trace-context.ts';

type AttributeValue = string | number | boolean | readonly string[];
export type SpanAttributes = Readonly<Record<string, AttributeValue | undefined>>;

export interface Span extends SpanContext {
	readonly parentSpanId?: string | undefined;
	readonly name: string;
	/** `client`: it waits for another program, as a request to a model does; `server`: another program waits for it. */
	readonly kind: 'internal' | 'server' | 'client';
	/** Milliseconds since 1970. */
	readonly startMs: number;
	readonly endMs: number;
	readonly attributes: SpanAttributes;
	/** Code of the error that it ended with; absent: it has none. */
	readonly error?: string | undefined;
}

interface MeasuredValue {
	readonly attributes: SpanAttributes;
	readonly value: number;
}

/** Values measured since the last time they were told. */
export interface Metric {
	readonly name: string;
	readonly unit: string;
	/** Upper bounds of the buckets of a histogram; absent: the values are added up. */
	readonly bounds?: readonly number[];
	readonly values: readonly MeasuredValue[];
}

export interface Reporter {
	/** SpanAttributes of the program. */
	readonly resource: SpanAttributes;
	readonly version: string;
}

const SPAN_KINDS = { internal: 1, server: 2, client: 3 } as const;
const STATUS_ERROR = 2;
const DELTA = 1;

export function encodeSpans({ resource, version }: Reporter, spans: readonly Span[]): object {
	const scopeSpans = [{ scope: { name: 'prowess', version }, spans: spans.map(encodeSpan) }];
	return { resourceSpans: [{ resource: { attributes: encodeAttributes(resource) }, scopeSpans }] };
}

/** `startMs` to `endMs`: the time in which the values were measured. */
export function encodeMetrics(
	{ resource, version }: Reporter,
	metrics: readonly Metric[],
	startMs: number,
	endMs: number,
): object {
	const time = { startTimeUnixNano: toNanos(startMs), timeUnixNano: toNanos(endMs) };
	const scopeMetrics = [
		{ scope: { name: 'prowess', version }, metrics: metrics.map((metric) => encodeMetric(metric, time)) },
	];
	return { resourceMetrics: [{ resource: { attributes: encodeAttributes(resource) }, scopeMetrics }] };
}

function encodeSpan({ traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, error }: Span): object {
	return {
		traceId,
		spanId,
		...(parentSpanId !== undefined && { parentSpanId }),
		name,
		kind: SPAN_KINDS[kind],
		startTimeUnixNano: toNanos(startMs),
		endTimeUnixNano: toNanos(Math.max(startMs, endMs)),
		attributes: encodeAttributes({ ...attributes, 'error.type': error }),
		...(error !== undefined && { status: { code: STATUS_ERROR, message: error } }),
	};
}

function encodeMetric({ name, unit, bounds, values }: Metric, time: object): object {
	const points = groupByAttributes(values).map(({ attributes, all }) => {
		const sum = all.reduce((total, value) => total + value, 0);
		const point = { ...time, attributes: encodeAttributes(attributes) };
		if (bounds === undefined) return { ...point, asDouble: sum };
		const histogram = { count: String(all.length), sum, min: Math.min(...all), max: Math.max(...all) };
		return { ...point, ...histogram, explicitBounds: bounds, bucketCounts: countBuckets(all, bounds).map(String) };
	});
	return bounds === undefined
		? { name, unit, sum: { aggregationTemporality: DELTA, isMonotonic: true, dataPoints: points } }
		: { name, unit, histogram: { aggregationTemporality: DELTA, dataPoints: points } };
}

/** Each bucket holds the values above the bound before it, up to its own one; the last, all above. */
function countBuckets(values: readonly number[], bounds: readonly number[]): number[] {
	const counts = Array.from({ length: bounds.length + 1 }, () => 0);
	for (const value of values) {
		const found = bounds.findIndex((bound) => value <= bound);
		const bucket = found === -1 ? bounds.length : found;
		counts[bucket] = (counts[bucket] ?? 0) + 1;
	}
	return counts;
}

function groupByAttributes(values: readonly MeasuredValue[]): readonly { attributes: SpanAttributes; all: number[] }[] {
	const groups = new Map<string, { attributes: SpanAttributes; all: number[] }>();
	for (const { attributes, value } of values) {
		const key = JSON.stringify(attributes);
		const group = groups.get(key) ?? { attributes, all: [] };
		group.all.push(value);
		groups.set(key, group);
	}
	return [...groups.values()];
}

function encodeAttributes(attributes: SpanAttributes): object[] {
	return Object.entries(attributes).flatMap(([key, value]) =>
		value === undefined ? [] : [{ key, value: encodeValue(value) }],
	);
}

function encodeValue(value: AttributeValue): object {
	if (typeof value === 'string') return { stringValue: value };
	if (typeof value === 'boolean') return { boolValue: value };
	if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
	return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } };
}

/** OTLP has nanoseconds as digits in a string: they do not fit a number. */
function toNanos(ms: number): string {
	return String(BigInt(Math.round(ms * 1_000)) * 1_000n);
}
