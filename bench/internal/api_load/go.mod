module portico/bench/api_load

go 1.24.0
