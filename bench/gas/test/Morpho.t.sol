// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PeerTest} from "./PeerTest.sol";
import {IMorpho, MarketParams} from "@morpho-org/morpho-blue/src/interfaces/IMorpho.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

interface ISettableOracle {
    function setPrice(uint256 newPrice) external;
}

contract LentToken is ERC20("Plain", "PLN") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

/// @notice Measures Morpho Blue's accrual, a Taylor series over the elapsed time, and its deposits. The rate model is
/// the constant one of its own tests; a real one costs more.
contract MorphoTest is PeerTest {
    address private immutable ALICE = makeAddr("alice");
    address private immutable BOB = makeAddr("bob");
    LentToken private _loan;
    IMorpho private _morpho;
    MarketParams private _market;

    function setUp() public {
        vm.warp(20_000 days);
        _morpho = IMorpho(_deployCompiled("Morpho.sol/Morpho.json", abi.encode(address(this))));
        _loan = new LentToken();
        LentToken collateral = new LentToken();
        address oracle = _deployCompiled("OracleMock.sol/OracleMock.json", "");
        ISettableOracle(oracle).setPrice(1e36);
        address rateModel = _deployCompiled("IrmMock.sol/IrmMock.json", "");
        _market = MarketParams(address(_loan), address(collateral), oracle, rateModel, 0.8e18);
        _morpho.enableIrm(rateModel);
        _morpho.enableLltv(0.8e18);
        _morpho.createMarket(_market);
        _fund(ALICE);
        _fund(BOB);
        vm.prank(ALICE);
        _morpho.supply(_market, 1_000e18, 0, ALICE, "");
        collateral.mint(address(this), 1_000e18);
        collateral.approve(address(_morpho), 1_000e18);
        _morpho.supplyCollateral(_market, 1_000e18, address(this), "");
        _morpho.borrow(_market, 500e18, 0, address(this), address(this));
    }

    function test_Accrue() public {
        skip(1 days);
        _morpho.accrueInterest(_market);
        _record("Morpho Blue", "accrual, 1 day");
        skip(365 days);
        _morpho.accrueInterest(_market);
        _record("Morpho Blue", "accrual, 365 days");
    }

    function test_Supply() public {
        skip(1 days);
        vm.prank(BOB);
        _morpho.supply(_market, 1_000e18, 0, BOB, "");
        _record("Morpho Blue", "supply, first of an account");
        skip(1 days);
        vm.prank(BOB);
        _morpho.supply(_market, 1_000e18, 0, BOB, "");
        _record("Morpho Blue", "supply, joining");
    }

    function _fund(address account) private {
        _loan.mint(account, 1e24);
        vm.prank(account);
        _loan.approve(address(_morpho), type(uint256).max);
    }

    function _deployCompiled(string memory artifact, bytes memory arguments) private returns (address) {
        return _create(vm.getCode(string.concat("out/morpho/", artifact)), arguments);
    }
}
