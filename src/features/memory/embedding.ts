/**
 * Computes the place of a text in a space where texts of similar meaning lie near each other: from its stems, their
 * concepts and their letters. All of it happens locally, so no text is sent anywhere, and the same text has the same
 * place on every machine.
 */
import { listStemConcepts, splitCompound } from './concepts.ts';
import { cutToStem, tellingWords } from './words.ts';

/** Raised when the same text gets another place: stored ones are then made anew. */
export const EMBEDDING_VERSION = 2;
export const DIMENSIONS = 384;

const WORD_WEIGHT = 1;
const CONCEPT_WEIGHT = 1;
/** Weight of all letters of a word together. */
const LETTERS_WEIGHT = 1;
const GRAM = 3;
/** Steps of a coordinate: a byte each. */
const COORDINATE_STEPS = 127;

/** Coordinates as bytes; all zero for a text without a word. */
export function computeEmbedding(text: string): Int8Array {
	const place = new Float32Array(DIMENSIONS);
	for (const [stem, count] of countStems(tellingWords(text).flatMap(splitCompound).map(cutToStem))) {
		const weight = (1 + Math.log(count)) * Math.min(1.4, 0.5 + stem.length / 8);
		addFeature(place, `w:${stem}`, WORD_WEIGHT * weight);
		for (const concept of listStemConcepts(stem)) {
			addFeature(place, `c:${concept}`, CONCEPT_WEIGHT * weight);
		}
		const grams = listLetterGrams(stem);
		for (const gram of grams) {
			addFeature(place, `g:${gram}`, (LETTERS_WEIGHT * weight) / Math.sqrt(grams.length));
		}
	}
	const largest = place.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
	return largest === 0
		? new Int8Array(DIMENSIONS)
		: Int8Array.from(place, (value) => Math.round((value / largest) * COORDINATE_STEPS));
}

/** Length of a place, at least 1, so that none is divided by nothing. */
export function computeVectorLength(place: Int8Array): number {
	return Math.max(1, Math.sqrt(place.reduce((sum, value) => sum + value * value, 0)));
}

/** The text adds to two coordinates, up or down: where two texts meet in one by chance, they rarely do in both. */
function addFeature(place: Float32Array, feature: string, weight: number): void {
	const hash = hashFeature(feature);
	for (const part of [hash, Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0]) {
		const at = part % DIMENSIONS;
		place[at] = (place[at] ?? 0) + (part & 0x8000_0000 ? weight : -weight);
	}
}

function listLetterGrams(stem: string): readonly string[] {
	const whole = `^${stem}$`;
	return Array.from({ length: Math.max(0, whole.length - GRAM + 1) }, (_, at) => whole.slice(at, at + GRAM));
}

function countStems(stems: readonly string[]): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const stem of stems) {
		counts.set(stem, (counts.get(stem) ?? 0) + 1);
	}
	return counts;
}

/** FNV-1a, then mixed: its low bits alone are not spread well. */
function hashFeature(text: string): number {
	let hash = 0x811c9dc5;
	for (let at = 0; at < text.length; at += 1) {
		hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
	}
	hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
	return (hash ^ (hash >>> 16)) >>> 0;
}
