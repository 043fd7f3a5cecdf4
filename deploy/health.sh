#!/bin/bash
# Succeeds while the process of this container answers /readyz: zoetrope-health [port]. Without curl, to keep the image small.
port=${1:-${ZOETROPE_PORT:-8080}}
exec 3<>"/dev/tcp/127.0.0.1/$port" || exit 1
printf 'GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3
read -r -t 5 _ status _ <&3 && [ "$status" = 200 ]
