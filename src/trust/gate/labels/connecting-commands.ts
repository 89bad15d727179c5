/** Commands that a sandbox does not keep in: which of them fetch text from elsewhere, as far as their words say. */
import type { CommandTarget } from '../policy/commands/command-question.ts';
import { INTERPRETERS, listNames, programName, SHELLS } from '../policy/commands/indirect-commands.ts';

const FETCHING = listNames(`curl wget aria2c ssh scp sftp rsync ftp lftp telnet nc ncat netcat socat gh glab hub tea aws gcloud az
	docker podman nerdctl kubectl helm vagrant ansible npx pnpx bunx uvx pipx brew apt apt-get yum dnf apk snap flatpak`);

/** Programs that mostly stay on this machine, and the words after which they fetch something. */
const FETCHING_AFTER: readonly (readonly [programs: ReadonlySet<string>, words: ReadonlySet<string>])[] = [
	[listNames('git hg svn'), listNames('pull fetch clone ls-remote submodule remote push update incoming')],
	[
		listNames('npm pnpm yarn bun pip poetry uv gem bundle bundler composer cargo go dotnet conda mamba rustup'),
		listNames('install i ci add update upgrade up get download restore info view audit search sync exec dlx create x'),
	],
];

/** True for a command without a sandbox whose output may be text from elsewhere. */
export function fetchesText({ argv }: Pick<CommandTarget, 'argv'>): boolean {
	const [first = '', ...words] = argv;
	const program = programName(first);
	// A shell or an interpreter runs what its words hold.
	const runsWords = (SHELLS.has(program) || INTERPRETERS.has(program)) && words.some((word) => /^-\w*[ce]$|https?:/i.test(word));
	const fetchesAfter = FETCHING_AFTER.some(
		([programs, after]) => programs.has(program) && words.some((word) => after.has(word)),
	);
	return FETCHING.has(program) || runsWords || fetchesAfter;
}
