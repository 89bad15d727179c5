/**
 * Picks the memories that say something about a message among those that merely lie near it. A memory must share telling
 * words with the message: rare ones count most, and words that any message about code may hold count little.
 */
import { listStemConcepts, splitCompound } from './concepts.ts';
import { computeEmbedding, computeVectorLength } from './embedding.ts';
import { memoryLimits } from './limits.ts';
import { cutToStem, tellingWords } from './words.ts';

/** Words of most messages about code, in English and German: they say what to do, or with which part of a program. */
const ORDINARY_STEMS: ReadonlySet<string> = new Set(
	tellingWords(
		`file files class function method variable code module app application page list line loop object value
		parameter import text thing work works working change changed rename add remove write create make open show move split
		sort convert explain fix refactor clean find look read run start update slow fast long short big small first last next
		two three version
		datei klasse funktion methode variable modul anwendung seite liste zeile schleife wert text sache ändern
		ändere umbenennen benenne ergänze füge hinzu entferne schreibe erstelle lege öffne zeige sortiere zerlege erkläre
		behebe räume finde suche lies starte langsam schnell lang kurz groß klein erste letzte zwei drei`,
	).map(cutToStem),
);

interface FittingCandidate {
	readonly number: number;
	readonly text: string;
}

/** Counts of the memories, and of those with a stem or a word that means the same. */
interface MemoryCounts {
	readonly total: number;
	withStem(stem: string): number;
}

/** Returns the numbers of those that fit; none where the message holds only ordinary words. */
export function pickFitting(
	query: string,
	candidates: readonly FittingCandidate[],
	counts: MemoryCounts,
): ReadonlySet<number> {
	const asked = listTellingStems(query).slice(0, memoryLimits.queryWords);
	if (asked.every((stem) => ORDINARY_STEMS.has(stem))) {
		return new Set();
	}
	const rarest = Math.log(1 + counts.total / 1.5);
	const weights = asked.map((stem) => {
		const rarity = Math.log(1 + counts.total / (0.5 + counts.withStem(stem))) / rarest;
		const weight = Math.max(memoryLimits.leastWordWeight, Math.min(1, rarity));
		return ORDINARY_STEMS.has(stem) ? weight * memoryLimits.ordinaryWeight : weight;
	});
	const all = Math.max(
		Number.EPSILON,
		weights.reduce((sum, weight) => sum + weight, 0),
	);
	const place = computeEmbedding(query);
	const judged = candidates.map(({ number, text }) => {
		const stems = listTellingStems(text);
		const shares = asked.map((stem, index) => shareOfStem(stem, stems) * (weights[index] ?? 0));
		const sum = shares.reduce((total, share) => total + share, 0);
		// Ordinary words add to what others say; alone they say nothing.
		const evidence = asked.some((stem, index) => (shares[index] ?? 0) > 0 && !ORDINARY_STEMS.has(stem)) ? sum : 0;
		const similarity = computeCosine(place, computeEmbedding(text));
		return { number, evidence, similarity, score: similarity + evidence / all };
	});
	const best = Math.max(0, ...judged.map(({ score }) => score));
	const fits = judged.filter(({ evidence, similarity, score }) => {
		const isTold =
			evidence >= memoryLimits.leastEvidence ||
			(score >= memoryLimits.nearBest * best && evidence >= memoryLimits.leastEvidenceOfBest);
		const isNear = score >= Math.max(memoryLimits.leastScore, memoryLimits.shareOfBestScore * best);
		return isTold && isNear && similarity >= memoryLimits.leastOwnSimilarity;
	});
	return new Set(fits.map(({ number }) => number));
}

/** Without the ends of names of files and hosts. */
function listTellingStems(text: string): readonly string[] {
	const words = tellingWords(text.replaceAll(/\.\w{1,4}\b/g, ' '));
	return [...new Set(words.flatMap(splitCompound).map(cutToStem))];
}

/** 1 for the same word, less for one that means the same, else 0. */
function shareOfStem(stem: string, stems: readonly string[]): number {
	if (stems.some((each) => isSameStem(each, stem))) {
		return 1;
	}
	const concepts = listStemConcepts(stem);
	const isRelated = stems.some((each) => listStemConcepts(each).some((concept) => concepts.includes(concept)));
	return isRelated ? memoryLimits.relatedWeight : 0;
}

/** Stems of four letters may also be the beginning of a longer word. */
function isSameStem(one: string, other: string): boolean {
	const [short, long] = one.length < other.length ? [one, other] : [other, one];
	return short === long || (short.length >= 4 && long.startsWith(short));
}

function computeCosine(one: Int8Array, other: Int8Array): number {
	let sum = 0;
	for (let index = 0; index < one.length; index += 1) {
		sum += (one[index] as number) * (other[index] as number);
	}
	return sum / (computeVectorLength(one) * computeVectorLength(other));
}
