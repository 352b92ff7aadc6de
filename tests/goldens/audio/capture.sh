#!/bin/sh
# Makes the same fifth of a second in the three formats that are spoken with. Needs ffmpeg with libopus and libmp3lame.
set -eu
cd "$(dirname "$0")"
tone="-hide_banner -loglevel error -y -f lavfi -i sine=frequency=440:duration=0.2 -ar 16000 -ac 1 -bitexact"
ffmpeg $tone -c:a pcm_s16le tone.wav
ffmpeg $tone -c:a libopus -b:a 24k tone.ogg
ffmpeg $tone -c:a libvorbis -f ogg vorbis.ogg
ffmpeg $tone -c:a libmp3lame -b:a 32k tone.mp3
