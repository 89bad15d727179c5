/** Runs the stories about changes of an agent, commands that run and links in answers; they take turns in one window. */
import { inOneWindow } from '../harness/one-window.ts';
import { links } from './edits/links.ts';
import { runningCommand } from './edits/running-command.ts';
import { selectedLines } from './edits/selected-lines.ts';
import { turn } from './edits/turn.ts';

// Without GPU acceleration the text that a terminal draws is in the page.
inOneWindow('In a window for changes', { 'terminal.integrated.gpuAcceleration': 'off' }, [
	turn,
	selectedLines,
	links,
	runningCommand,
]);
