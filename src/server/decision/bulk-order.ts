/** An order to do the same to each of many files, which a script does alike every time. */
import { toWordSet } from '../turn/plain-words.ts';
import { beginsWith, hasAnyWord, type MessageWord } from './message-words.ts';
import { DESCRIBING_WORDS, SOFTWARE_THINGS } from './order-words.ts';

const BULK_VERBS = toWordSet(
	'rename convert resize compress extract copy move normalize format count collect prepend append strip download export delete remove replace update sort process add lint batch run generate lösche lösch entferne ersetze aktualisiere sortiere verarbeite füge erzeuge lege prüfe benenne konvertiere wandle verkleinere komprimiere extrahiere kopiere verschiebe normalisiere vereinheitliche formatiere zähle sammle stelle lade',
);
const EACH = toWordSet('all every each alle allen aller jede jeden jedes jeder jedem');
const FILES = toWordSet(
	'file files folder folders directory directories archives csv csvs json jsons png pngs jpg jpeg jpegs svg svgs pdf pdfs markdown screenshots datei dateien ordner ordnern verzeichnis verzeichnisse archive bild bilder bildern',
);
/** Things of which there are files only when each of them is named. */
const FILES_EACH = toWordSet(
	'package packages module component image images paket pakete komponente modul paketordner branch branches',
);
/** Words that may follow the last noun of the phrase: with another noun, that is what it is about ("each file row"). */
const AFTER_FILES = toWordSet(
	'in of to from by into with and under below on at next beside recursively for aus in im auf von nach und mit um an unter auf zu ein eine einen den die das herunter older that and who which',
);
const SHOWN_THINGS = toWordSet(
	'row rows list dialog view views ui status bar upload uploaded uploads uploader picker tree preview table checkbox icon menu tooltip progress selected aktion liste hochgeladene hochgeladenen',
);

/** `words`: a single sentence. */
export function isBulkOrder(words: readonly MessageWord[]): boolean {
	if (isAsScript(words)) {
		return true;
	}
	if (hasAnyWord(words, DESCRIBING_WORDS) || hasAnyWord(words, SHOWN_THINGS) || hasAnyWord(words, UNLIKE_FILES)) {
		return false;
	}
	const first = words[0]?.word ?? '';
	const isForEach = (first === 'for' || first === 'in' || first === 'für') && EACH.has(words[1]?.word ?? '');
	if (isForEach) {
		const noun = findFileWords(words, 1);
		return noun !== undefined && (words.slice(noun, noun + 4).some(isBeforePause) || ordersBehind(words, noun));
	}
	if (!BULK_VERBS.has(first)) {
		return false;
	}
	if (first === 'batch') {
		return BULK_VERBS.has(words[1]?.word ?? '');
	}
	const at = words.findIndex(({ word }) => EACH.has(word));
	const isSorted = first === 'sort' || first === 'sortiere';
	return at > 0 && at <= MOST_WORDS_BEFORE && !(isSorted && at === 1) && findFileWords(words, at) !== undefined;
}

function isBeforePause({ isPauseBehind }: MessageWord): boolean {
	return isPauseBehind;
}

/** Without a comma the verb shows itself by what it is done to: "für jede Datei in src sortiere die Importe". */
function ordersBehind(words: readonly MessageWord[], noun: number): boolean {
	return words
		.slice(noun + 1, noun + 6)
		.some(({ word }, at) => BULK_VERBS.has(word) && OBJECTS_BEGIN.has(words[noun + at + 2]?.word ?? ''));
}

const OBJECTS_BEGIN = toWordSet('a an the its it all die den das der ihre ihren seine seinen einen eine ein alle');

/** "all" later than this is no longer about what the verb is done to. */
const MOST_WORDS_BEFORE = 8;

const UNLIKE_FILES = new Set([...SOFTWARE_THINGS].filter((word) => word !== 'component' && word !== 'components'));

/** Index of the noun that `each` at `from` is about, when it is a file; up to two words say which of them. */
function findFileWords(words: readonly MessageWord[], from: number): number | undefined {
	const isAll = words[from]?.word === 'all' || words[from]?.word.startsWith('alle') === true;
	for (let at = from + 1; at <= from + 3 && at < words.length; at += 1) {
		const { word = '', isPauseBehind = false } = words[at] ?? {};
		const next = words[at + 1];
		const isFile =
			FILES.has(word) ||
			word.endsWith('dateien') ||
			word.endsWith('datei') ||
			word.endsWith('ordner') ||
			(!isAll && FILES_EACH.has(word)) ||
			(FILES_EACH.has(word) && isPlaced(words, at));
		if (isFile && (isPauseBehind || next === undefined || AFTER_FILES.has(next.word) || isVerbAtEnd(words, at + 1))) {
			return at;
		}
	}
	return undefined;
}

/** "all images in public", "all branches with the prefix wip". */
function isPlaced(words: readonly MessageWord[], at: number): boolean {
	const next = words[at + 1]?.word;
	return next === 'in' || next === 'with' || next === 'that' || next === undefined;
}

function isVerbAtEnd(words: readonly MessageWord[], at: number): boolean {
	return at === words.length - 1 && words[at]?.word.endsWith('en') === true;
}

function isAsScript(words: readonly MessageWord[]): boolean {
	const isThis = ['do this', 'do it', 'do that', 'mach das', 'mache das', 'mach es'].some((each) =>
		beginsWith(words, each.split(' ')),
	);
	const isAs = words[2]?.word === 'as' || words[2]?.word === 'als';
	return isThis && isAs && words.slice(3, 5).some(({ word }) => word === 'script' || word === 'skript');
}
