/**
 * Words of a developer's day that mean one thing, in English and German: by them a question finds a memory that says the same in
 * other words. A table, not a model: what is not in it is found by its letters alone.
 */
import { cutToStem, tellingWords } from './words.ts';

const CONCEPTS: readonly string[] = [
	'delete remove erase drop löschen entfernen wegwerfen',
	'test tests testing spec testen prüfen testfall unittest',
	'deploy deployment rollout ausrollen bereitstellen veröffentlichen publish ship',
	'release version veröffentlichung freigabe auslieferung',
	'run start launch execute starten ausführen laufen',
	'build compile bundle bauen übersetzen kompilieren',
	'install dependency dependencies package packages paket pakete abhängigkeit abhängigkeiten installieren library bibliothek npm pnpm yarn pip',
	'database db sql postgres mysql sqlite datenbank tabelle table schema',
	'server backend dienst service host',
	'port address adresse url endpoint endpunkt',
	'error bug fault failure fehler defekt crash absturz exception ausnahme',
	'format formatter formatting prettier style stil formatieren einrückung indentation indent tabs spaces',
	'lint linter eslint oxlint',
	'language sprache german deutsch english englisch antworten answer reply',
	'commit commits message nachricht commitnachricht',
	'branch branches zweig merge rebase zusammenführen',
	'review reviewer pull request pr gutachten durchsicht',
	'login auth authentication sign anmelden anmeldung authentifizierung session sitzung',
	'password credential credentials secret geheimnis passwort zugangsdaten key schlüssel token',
	'user customer client benutzer nutzer kunde kunden',
	'name naming convention namen benennung bezeichnung konvention',
	'file files datei dateien',
	'folder directory path ordner verzeichnis pfad',
	'config configuration setting settings einstellung einstellungen konfiguration option',
	'doc docs documentation readme dokumentation anleitung manual handbuch',
	'log logs logging logger protokoll protokollieren trace',
	'cache caching cached zwischenspeicher',
	'speed performance fast slow schnell langsam leistung latency dauer',
	'memory ram heap arbeitsspeicher speicher',
	'date time datum zeit uhrzeit timezone zeitzone',
	'schedule cron weekly daily nightly wöchentlich täglich nächtlich zeitplan',
	'frontend ui interface oberfläche view page seite screen',
	'button click schaltfläche knopf klick',
	'colour color theme farbe design dark dunkel',
	'api rest graphql schnittstelle request anfrage',
	'image picture photo bild grafik icon symbol',
	'mail email e-mail smtp post',
	'money price payment invoice bill rechnung preis zahlung bezahlung stripe billing abrechnung',
	'container docker image kubernetes k8s pod cluster',
	'ci pipeline workflow actions jenkins',
	'translate translation i18n locale übersetzung übersetzen lokalisierung',
	'type types typing typescript typ typen',
	'function method funktion methode',
	'class component klasse komponente',
	'private public visibility privat öffentlich',
	'backup restore sicherung wiederherstellen sichern',
	'migrate migration migrations migrieren wandern umzug',
	'queue job worker warteschlange auftrag task aufgabe',
	'team colleague owner person kollege verantwortlich responsible ansprechpartner contact zuständig',
	'environment staging production prod umgebung produktion',
	'prefer preference like favourite bevorzugen lieber mögen vorliebe',
	'never forbidden avoid not verboten niemals vermeiden nie',
	'shell terminal command befehl kommando konsole console',
	'editor ide vscode vim',
	'number count amount anzahl zahl menge',
	'address street ort location standort',
	'search find suche suchen finden lookup',
	'upload download hochladen herunterladen transfer übertragen',
	'permission access right rights recht rechte zugriff berechtigung',
	'limit maximum max grenze höchstens quota kontingent',
	'timeout deadline frist zeitlimit',
	'feature features flag flags toggle merkmal',
	'monitoring alert metric überwachung alarm grafana prometheus',
];

/** Shorter words begin too many others to be found in a compound. */
const LEAST_PART = 5;

const ofStem = new Map<string, number[]>();
const compoundParts = new Set<string>();
for (const [number, words] of CONCEPTS.entries()) {
	for (const word of tellingWords(words)) {
		const stem = cutToStem(word);
		const known = ofStem.get(stem) ?? [];
		ofStem.set(stem, known.includes(number) ? known : [...known, number]);
		if (word.length >= LEAST_PART) {
			compoundParts.add(word);
		}
	}
}

/** Numbers of the concepts that a stem belongs to. */
export function listStemConcepts(stem: string): readonly number[] {
	return ofStem.get(stem) ?? [];
}

/** Stems of all words that mean what this one means; none for one that is in no concept. */
export function relatedTo(stem: string): readonly string[] {
	const words = listStemConcepts(stem).flatMap((concept) => tellingWords(CONCEPTS[concept] ?? ''));
	return [...new Set(words.map(cutToStem))].filter((each) => each !== stem);
}

/** Words that a compound is made of, such as `staging` and `umgebung`; only itself for any other word. */
export function splitCompound(word: string): readonly string[] {
	for (let at = word.length - 3; at >= LEAST_PART; at -= 1) {
		const [first, last] = [word.slice(0, at), word.slice(at)];
		if (compoundParts.has(first)) {
			return [first, last.replace(/^s(?=[^aeiou].{3})/, '')];
		}
		if (word.length - at >= LEAST_PART && compoundParts.has(last)) {
			return [first.replace(/s$/, ''), last];
		}
	}
	for (let at = LEAST_PART - 1; at >= 3; at -= 1) {
		if (word.length - at >= LEAST_PART && compoundParts.has(word.slice(at))) {
			return [word.slice(0, at), word.slice(at)];
		}
	}
	return [word];
}
