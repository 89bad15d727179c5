/** A text whose files are links, where the page can open files of the workspace. */
import { useMemo } from 'preact/hooks';
import { memo } from '../../parts/memo.ts';
import { type FileMention, readFileMention, mentionsIn } from './file-mentions.ts';
import { FileLink } from '../link.tsx';
import { useText } from '../../parts/text-actions.ts';

export const TextWithFiles = memo(({ text }: { text: string }) => {
	const { opensWorkspaceFiles } = useText();
	const pieces = useMemo(() => (opensWorkspaceFiles === true ? mentionsIn(text) : [text]), [text, opensWorkspaceFiles]);
	return <Pieces of={pieces} />;
});

export function Pieces({ of }: { of: readonly (string | FileMention)[] }) {
	return <>{of.map((piece, key) => (typeof piece === 'string' ? piece : <FileLink key={key} mention={piece} />))}</>;
}

/** Span of code, which is a link when it names a file and nothing else. */
export const CodeWithFile = memo(({ code }: { code: string }) => {
	const { opensWorkspaceFiles } = useText();
	const mention = opensWorkspaceFiles === true ? readFileMention(code) : undefined;
	return <code>{mention === undefined ? code : <FileLink mention={mention} />}</code>;
});
